// Beside the players of a new game and the people of a crew: a press while an answer is awaited waits for it, and then
// goes to the same row as it is now; what is typed, ticked or chosen meanwhile stays. Uses $ and $$ of game.js.
'use strict'
{
  let awaited // the press whose answer is awaited, with the rows as they were when it was sent
  let held = [] // the presses and choices since then: [id or element, value of a choice]

  const findList = () => $('#players, #crew-people')
  const listFields = rows => $$('input:not([type=hidden]), select', rows)
  const readField = field => field.type === 'checkbox' ? field.checked : field.value

  function fillField(field, value) {
    if (field.type === 'checkbox') field.checked = value
    else field.value = value
  }

  // The id that a control of a row has after this press; '' if its row has gone. Only a new game numbers its rows.
  function renameControl(id, press) {
    if (!$('#players')) return id
    const [what, n] = id.split('-'), [does, at] = press.split('-')
    const step = { up: -1, down: 1 }[does], row = +n, from = +at, to = from + step
    if (does === 'remove' && row >= from) return row > from ? `${what}-${row - 1}` : ''
    if (step && row === from) return `${what}-${to}`
    return step && row === to ? `${what}-${from}` : id
  }

  function holdPress(event, control, value) {
    event.preventDefault()
    event.stopImmediatePropagation()
    held.push([findList().contains(control) ? control.id : control, value])
  }

  document.addEventListener('click', event => {
    const button = event.target.closest('button')
    if (awaited && button?.form && button.form === findList().closest('form')) holdPress(event, button)
  }, true)

  document.addEventListener('change', event => {
    if (awaited && event.target.matches('#players select')) holdPress(event, event.target, event.target.value)
  }, true)

  document.addEventListener('htmx:before:request', ({ detail: { ctx } }) => {
    const rows = findList()
    if (!rows.contains(ctx.sourceElement)) return
    const sent = listFields(rows).map(readField)
    awaited = { ctx, rows, sent, press: ctx.sourceElement.id, focus: document.activeElement }
  })

  let typing // the field that somebody types in as the answer comes
  document.addEventListener('htmx:before:swap', () => { typing = document.activeElement })

  document.addEventListener('htmx:after:swap', () => {
    if (!awaited || awaited.rows.isConnected) return
    const { press, rows, sent, focus } = awaited
    held = held.map(([control, value]) => [control.id ? control : renameControl(control, press), value])
    listFields(rows).forEach((field, n) => {
      const changed = readField(field) !== sent[n], now = document.getElementById(renameControl(field.id, press))
      if (now && changed) fillField(now, readField(field))
      if (!now || field !== typing || field === focus && !changed) return
      now.focus()
      if (now.type === 'text') now.setSelectionRange(field.selectionStart, field.selectionEnd)
    })
  })

  document.addEventListener('htmx:finally:request', async ({ detail: { ctx } }) => {
    if (ctx !== awaited?.ctx) return
    if (awaited.rows.isConnected || $('[role=alert]', findList())) held = [] // refused: the page says why
    awaited = null
    while (held.length && !awaited) {
      pressAgain(...held.shift())
      await new Promise(done => setTimeout(done)) // by then htmx has sent it
    }
  })

  function pressAgain(control, value) {
    const now = control.id ? control : document.getElementById(control)
    if (value === undefined || !now) return now?.click()
    now.value = value
    now.dispatchEvent(new Event('change', { bubbles: true }))
  }
}
