// What the people at a table see of each other at once: the choice that somebody is making, and reactions.
// Loaded when there is one to show or to send. Uses $, $$, tray, keeps, writeKeep and announce of game.js.

const WAIT = 150, AGAIN = 1000, QUIET = 900 // milliseconds
const column = die => die.dataset.value ?? /\bc(\d)\b/.exec(die.className)[1]
const listDice = () => $$('.die:not(.old)', tray)

// ---- somebody else's choice

let latest = '' // "812 25": the throw and the columns that are set aside

export function choice(line) {
  latest = line
  const sentence = layChoice()
  if (sentence) announce(sentence, QUIET)
}

function layChoice() { // returns the sentence to announce, if any
  const [fallen, columns] = latest.split(' ')
  if (!fallen || tray?.dataset.throw !== fallen || $('input[name=keep]', tray)) return
  const chosen = listDice().filter(die => columns.includes(column(die)))
  const kept = keeps[chosen.map(die => $('use', die).getAttribute('href').at(-1)).sort().join('')]
  if (!kept) return
  for (const die of listDice()) die.classList.toggle('down', chosen.includes(die))
  writeKeep(kept)
  return columns && kept[7]
}

document.addEventListener('htmx:after:swap', layChoice) // the dice may arrive after the choice

// ---- the viewer's own choice

let timer, sent = '', sending = false

export function share() {
  clearTimeout(timer)
  timer = setTimeout(sendChoice, WAIT)
}

async function sendChoice() {
  if (sending) return share()
  const address = tray?.dataset.viewers
  const line = address && `${tray.dataset.throw} ${checked().map(die => die.value).join('')}`
  if (!line || line === sent) return
  sending = true
  sent = line
  try {
    const { status } = await fetch(address, { method: 'POST', body: new URLSearchParams(new FormData(tray)) })
    if (status === 429) {
      sent = ''
      timer = setTimeout(sendChoice, AGAIN)
    }
  } catch { sent = '' } // offline: the next tap sends the choice as it is then
  sending = false
}

// ---- reactions: above the sender's card for two seconds, and announced in the word of their button

const FLOATS = 2000

export function reaction(line) {
  const [seat, sign] = line.split(' ')
  const card = $$('.player')[seat], id = `reaction-${seat}`
  if (!card || root.dataset.reactions === 'off') return
  document.getElementById(id)?.remove()
  const { left, top, width } = card.getBoundingClientRect()
  const float = Object.assign(document.createElement('i'), { id, className: 'reaction', textContent: sign })
  float.setAttribute('aria-hidden', 'true')
  const place = { position: 'fixed', left: `${left + width / 2}px`, top: `${top}px`, translate: '-50% -30%', zIndex: 7 }
  Object.assign(float.style, place, { font: '2.5rem/1 system-ui', pointerEvents: 'none' })
  document.body.append(float)
  announce(`${$('.name', card).textContent}: ${$(`[data-react="${sign}"]`)?.ariaLabel ?? sign}`)
  if (!calm()) {
    const rise = [{ translate: '-50% 60%', scale: 0.5 }, { translate: '-50% 0', scale: 1.2, offset: 0.15 }, { translate: '-50% -30%' }]
    float.animate(rise, { duration: FLOATS, easing: 'ease-out' })
  }
  setTimeout(() => float.remove(), FLOATS)
}

export async function react(button) {
  if (button.ariaDisabled) return
  const token = $('[name=csrfmiddlewaretoken]').value
  const all = $$('[data-react]')
  for (const other of all) other.ariaDisabled = 'true' // not `disabled`, which would lose the focus
  setTimeout(() => { for (const other of all) other.ariaDisabled = null }, FLOATS)
  const body = new URLSearchParams({ reaction: button.dataset.react, csrfmiddlewaretoken: token })
  await fetch(button.parentNode.dataset.url, { method: 'POST', body }).catch(() => {}) // offline: it would come too late
}
