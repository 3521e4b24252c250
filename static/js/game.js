// What the page does by itself: which dice go together, how a throw falls, keys, focus, a sentence for screen readers.
// The tray contains every legal keep with its points and texts; this script only looks them up.
'use strict'
const $ = (selector, from = document) => from.querySelector(selector)
const $$ = (selector, from = document) => [...from.querySelectorAll(selector)]
const root = document.documentElement
const words = document.body.dataset

let announcing

function announce(text, wait = 0) {
  clearTimeout(announcing)
  announcing = setTimeout(() => { $('#live').textContent = text }, wait)
}

function explain(text) {
  if ($('#detail')) $('#detail').textContent = text
  announce(text)
}

function showProblem(text) {
  if ($('#problem')?.textContent === text) return
  const p = document.createElement('p')
  p.id = 'problem'
  p.role = 'alert'
  p.textContent = text
  $('#problem')?.remove()
  const at = $('.game #say:not([hidden])') ?? $('#banner') // no dice move
  at.prepend(p)
  toBanner()
}

const calm = () => root.dataset.motion !== 'auto' || matchMedia('(prefers-reduced-motion: reduce)').matches

function toBanner() {
  ($('#problem') ?? $('.banner'))?.scrollIntoView({ block: 'nearest', behavior: calm() ? 'instant' : 'smooth' })
}

// ---- the selection: faces are strings like "3335", a legal keep is a key of the choices

let keeps = {}, tray, key, fallen

const dice = () => tray ? $$('input[name=keep]', tray) : []
const face = die => die.dataset.face
const faces = list => list.map(face).sort().join('')
const holds = (big, small) => { // as multisets
  for (const f of small) {
    if (!big.includes(f)) return false
    big = big.replace(f, '')
  }
  return true
}

function readTray() {
  tray = $('#tray')
  keeps = JSON.parse(tray?.dataset.choices || '{}')
  const same = !key || fallen === tray?.dataset.throw
  const sent = key && key !== tray?.elements?.key?.value
  key = tray?.elements?.key?.value
  fallen = tray?.dataset.throw
  if (same && checked().length) selectDice(checked(), false) // the first or same dice stay ticked
  else if (sent) tray?.reset?.() // to what the server says
}

// The dice that show `keep`: those of `first` before the others, else from the left.
function pickDice(keep, first) {
  const left = [...keep]
  const take = die => left.includes(face(die)) && left.splice(left.indexOf(face(die)), 1)
  const chosen = first.filter(take)
  return chosen.concat(dice().filter(die => !chosen.includes(die) && take(die)))
}

// After a tap on `die`: the legal selection nearest to what was meant; null if there is none.
function toggleDie(die, before) {
  const adding = !before.includes(die)
  const wish = adding ? [die, ...before] : before.filter(d => d !== die)
  if (faces(wish) in keeps) return wish
  const all = Object.keys(keeps).filter(keep => keep)
  const shortest = test => all.filter(test).sort((a, b) => a.length - b.length)[0]
  const keep = adding
    ? shortest(k => holds(k, faces(wish))) ?? shortest(k => k.includes(face(die)))
    : all.filter(k => holds(faces(wish), k)).sort((a, b) => b.length - a.length)[0]
  return keep ? pickDice(keep, wish) : null
}

const scores = die => Object.keys(keeps).some(keep => keep.includes(face(die)))

function selectDice(chosen, aloud = true) {
  for (const die of dice()) die.checked = chosen.includes(die)
  const choice = keeps[faces(chosen)]
  const alone = die => !('' in keeps) && !toggleDie(die, chosen)
  for (const die of dice().filter(scores)) {
    const look = die.checked && alone(die) ? 'must' : 'opt'
    die.parentNode.classList.remove('opt', 'must', 'dead')
    die.parentNode.classList.add(look)
    die.ariaDisabled = look === 'opt' ? null : 'true'
    die.setAttribute('aria-describedby', `${die.id}-note n-${look}`)
  }
  if (!choice) return
  writeKeep(choice)
  for (const row of $$('[data-keep]')) row.ariaPressed = row.dataset.keep === faces(chosen)
  if (!aloud) return
  announce(choice[7], 400)
  window.shareAside?.()
}

const isKept = die => die.matches('.down, :has(:checked)')

function writeKeep([sum, points, shown, upper, lower, bank, next, spoken, detail, word, risk]) {
  $('#sum').textContent = sum
  $('#sum').className = 'w' + sum.length
  $('#this-points').textContent = points
  tray.elements.shown.value = shown
  writeCaption($('#upper'), upper)
  writeCaption($('#lower'), lower)
  labelButton($('#bank'), bank)
  labelButton($('#throw'), next)
  $('#unit').textContent = $('#unit').dataset[bank[2] ? 'bank' : 'this']
  $('.felt', tray).classList.toggle('hot', next[2] && $$('.die', tray).filter(isKept).length === all().length)
  celebrateHot()
  $('#detail').textContent = detail
  $('.player.now .word')?.replaceChildren(word)
  for (const bar of $$('.player.now .risk')) bar.setAttribute('width', risk)
  const line = $('#turnlog .throws li:last-child'), thrown = line ? $$('.d', line) : []
  const lying = $$('.die:not(.old)', tray)
  if (thrown.length !== lying.length) return
  thrown.forEach((small, i) => {
    small.classList.toggle('kept', isKept(lying[i]))
    small.classList.toggle('faint', !isKept(lying[i]))
  })
  $('.pts', line).textContent = points
  $('.vh + .vh', line).textContent = spoken
}

function writeCaption(line, text) {
  const [first, ...rest] = text.split(' · ')
  const strong = document.createElement('b')
  strong.textContent = first
  line.replaceChildren(strong, rest.length ? ' · ' + rest.join(' · ') : '')
}

function labelButton(button, texts) {
  if (!button) return
  const [line1, line2, does, meter] = texts
  $('b', button).textContent = line1
  $('span', button).textContent = line2
  button.ariaDisabled = does || button.matches('div') ? null : 'true'
  $('.meter rect', button)?.setAttribute('width', `${meter ?? 0}%`)
}

const all = () => $$('.columns kbd', tray).map((_, n) => `c${n + 1}`)
const checked = () => dice().filter(die => die.checked)

document.addEventListener('change', event => {
  const die = event.target
  if (die.name !== 'keep' || die.form !== tray) return
  const before = dice().filter(d => d.checked !== (d === die))
  const chosen = toggleDie(die, before)
  if (chosen) return selectDice(chosen)
  die.checked = !die.checked
  if (scores(die) && '' in keeps) return selectDice([])
  explain(tray.dataset[scores(die) ? 'must' : 'dead'])
})

function chooseKeep(keep) {
  stopRepeating()
  if (keep in keeps && dice().length) selectDice(pickDice(keep, checked()))
}

// ---- presses

let quietUntil = 0 // until then, a second press does not act for the next player

document.addEventListener('click', event => {
  const at = event.target
  if (event.detail) at.closest('button')?.focus({ preventScroll: true }) // Safari does not
  if (at.closest('a, button, input, select')) stopRepeating()
  $('.banner.error')?.remove()
  const row = at.closest('[data-keep]')
  if (row && dice().length && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    chooseKeep(row.dataset.keep)
  }
  const button = at.closest('.big, #start')
  if (button?.ariaDisabled === 'true') {
    event.preventDefault()
    explain($('span', button).textContent)
  } else if (button && performance.now() < quietUntil) event.preventDefault()
  if (at.closest('#tray .die.old')) explain(tray.dataset.old ?? '')
  const passed = at.closest('[data-copy], [data-share]')
  if (passed) {
    const { copy, share } = passed.dataset
    const copied = !(share && navigator.share) && navigator.clipboard?.writeText(copy).then(() => 1, () => 0)
    import(words.sharing).then(({ passOn }) => passOn(passed, copied), () => showProblem(words.unreached))
  }
  const text = at.closest('[data-say]')?.dataset.say
  if (text) announce(text)
  if (at.closest('#ways > summary')) stored('ways', $('#ways').open ? 'closed' : 'open')
  if (at.closest('[href="#people"]')) $('.seats')?.toggleAttribute('open', true)
  const goal = at.closest('a[href^="#"]')
  if (goal) $(goal.hash)?.closest('details')?.toggleAttribute('open', true)
  const open = $('.site details[open]')
  if (open && (!open.contains(at) || at.closest('a'))) open.open = false
})

document.addEventListener('input', stopRepeating)

// ---- keys: each is declared on its control

const typing = at => at.closest('input:not([type=checkbox], [type=radio], [type=file]), select')

// The name of the key by which a control is declared; '' for a key that is somebody else's.
function readKey({ key, target, altKey, ctrlKey, metaKey, shiftKey }) {
  if (altKey || ctrlKey || metaKey || root.dataset.keys === 'off' || typing(target)) return ''
  if (key === ' ') return $('#play, .practice') && !shiftKey && target.matches('body, h1, main') ? 'r' : ''
  return key === '+' || key === 'Enter' && $('#points') && !target.matches('a, button, summary, [type=checkbox]') ? 'g' : key.toLowerCase()
}

document.addEventListener('keydown', event => {
  const { key, target } = event
  if (event.repeat || event.altKey || event.isComposing) return
  if (key === 'Escape') return closeMenu()
  if (key === ' ' && target.matches('a[role=button]')) return press(event, target)
  if (key === 'Enter' && target.name === 'keep') return event.preventDefault()
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'z' && !event.shiftKey && !typing(target)) press(event, control('undo'))
  const name = readKey(event)
  if (name === 'a') return chooseKeep(Object.keys(keeps).sort((a, b) => b.length - a.length)[0] ?? '-')
  if (name === 't') return announce($$('#status, #detail, #upper, #lower, .points > span, .throws .vh, .player').filter(e => e.innerText).map(read).join('. '))
  const rows = $$('a[data-keep]')
  if (rows.length && (name === 'n' || name === 'b')) {
    const now = rows.findIndex(row => row.ariaPressed === 'true')
    return rows.at(name === 'n' ? (now + 1) % rows.length : Math.max(now, 0) - 1).click()
  }
  press(event, control(name))
})

// The text of an element without its full stop; that of the points as "250 points this turn".
const read = e => `${e.matches('.points > span') ? $('#sum').textContent : ''} ${e.innerText}`.replace(/\s+/g, ' ').trim().replace(/\.$/, '')

const control = name => $$('[data-key]').findLast(e => e.dataset.key === name && (e.getClientRects().length || e.closest('.menu')) && !e.hidden)

function press(event, at) {
  if (!at) return
  event.preventDefault()
  at.click()
}

function closeMenu() {
  const open = $('.site details[open]')
  if (!open) return
  open.open = false
  $('summary', open).focus()
}

addEventListener('beforeinstallprompt', event => { // install.js offers it after a game
  event.preventDefault()
  window.installs = event
})

// ---- answers

let pressed = '' // the button whose answer is awaited
let advancing, seat
let sent, sentKey, inMenu, again, pause = 0 // the last form sent, and when to send it again

document.addEventListener('submit', event => {
  pressed = event.submitter?.id ?? ''
  sent = event
  sentKey = event.target.elements.key?.value
  inMenu = event.target.closest('.menu')
  clearTimeout(again)
  clearTimeout(advancing)
  clearTimeout(announcing)
})

let held // whether something has the focus, which the answer could take away

const focused = () => document.activeElement && document.activeElement !== document.body
document.addEventListener('htmx:before:swap', () => { held = focused() })

document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  const before = seat
  const mine = ctx?.sourceElement?.id !== 'stream' // not somebody else's action
  const by = mine ? pressed : ''
  refresh()
  if (before !== seat) quietUntil = performance.now() + 350
  const status = $('#status')
  if (status) document.title = `${status.textContent.trim()} · ${words.site}`
  if ((!focused() && (held || (by && by !== 'advance'))) || (by === 'bank' && before !== seat)) status?.focus()
  if (mine) pressed = ''
})

document.addEventListener('htmx:after:request', ({ target, detail: { ctx } }) => {
  const { status } = ctx.response, looked = target.id === 'stream'
  if (status < 500 && (!looked || status >= 400)) $('#problem')?.remove() // a refusal brings its own
  if (looked) return
  again = pause = 0
  if (status >= 500) reportFailure(status === 503 ? words.away : words.broken)
  else if (status < 400 && target.dataset?.once === '') target.reset() // so that nothing is added twice
})

document.addEventListener('htmx:finally:request', ({ detail: { ctx } }) => {
  const { status } = ctx.response ?? {}
  if (ctx.sourceElement === sent?.target && inMenu && status < 500) closeMenu()
  if (status >= 400 && status < 500) toBanner()
  if (status === 429) advance(1000)
})

// Without a connection the press is repeated; the key of its form makes that safe.
document.addEventListener('htmx:error', ({ detail: { ctx } }) => {
  const ours = sent && ctx?.sourceElement === sent.target
  if (ours) {
    pause = Math.min(pause * 2 || 1500, 24000)
    again = setTimeout(sendAgain, pause)
  }
  reportFailure(offline())
  if (ours) clearTimeout(advancing)
})

const offline = () => again && sent.submitter?.id !== 'advance' ? words.kept : $('#stream') ? words.offline : words.unreached

function sendAgain() {
  if (!sentKey || $(`[value="${sentKey}"]`)) sent.target.requestSubmit(sent.submitter)
  else again = pause = 0 // a new form is there: the press may have counted
}

addEventListener('online', () => again && sendAgain())

function stopRepeating() { // something else was pressed
  if (!again) return
  clearTimeout(again)
  again = pause = 0
  $('#problem')?.remove()
  advance(5000)
}

function reportFailure(text) {
  showProblem(text)
  advance(5000)
}

document.addEventListener('every', event => document.hidden && event.stopPropagation(), true) // polls only while somebody looks

// ---- moments: a headline, a sound, a shake of the phone, each once

const MOMENT = 1600, BUZZ = { bust: 40, hot: [20, 40, 20], in: 20, win: [60, 60, 120] }
const cue = name => window.playCue?.(name)
let hottest = $('#tray:has(.hot)')?.dataset.throw // whose hot dice have been celebrated, maybe on a page before

function showMoment(kind, title, line) {
  cue(kind)
  if (root.dataset.vibration !== 'off' && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ[kind] ?? 0)
  if (!title) return
  $('.moment')?.remove()
  const p = document.createElement('p')
  p.className = `moment ${kind}`
  p.ariaHidden = 'true' // #live says it
  p.append(Object.assign(document.createElement('b'), { textContent: title }), line ?? '')
  $('#say')?.append(p)
  setTimeout(() => p.remove(), MOMENT)
}

function celebrate() {
  if (tray?.dataset.bust) {
    showMoment('bust', tray.dataset.bust, $('#sum').textContent === '0' ? '' : '−' + $('#sum').textContent)
    if (!calm()) for (const die of $$('.die > svg', tray)) die.animate({ translate: ['0', '-3px', '3px', '-3px', '0'] }, 160)
  }
  celebrateHot()
}

function celebrateHot() {
  const felt = $('.felt.hot', tray)
  if (!felt || hottest === tray.dataset.throw) return
  hottest = tray.dataset.throw
  showMoment('hot', tray.dataset.hot)
  if (calm()) return
  felt.classList.add('rim')
  setTimeout(() => felt.classList.remove('rim'), 600)
}

// ---- after every answer, and at first

const findVersion = () => Math.max(...$$('[data-version]').map(e => +e.dataset.version))

function refresh() {
  readTray()
  for (const part of $$('[data-script]')) import(part.dataset.script).catch(() => {}) // the next answer tries again
  seat = tray?.dataset.seat
  if (navigator.share) for (const button of $$('[data-share]')) button.hidden = false
  const newest = findVersion()
  for (const field of $$('input[name=version]')) if (+field.value < newest) field.value = newest
  if ($('details#ways')) $('#ways').open = stored('ways') !== 'closed'
  const now = $('.player.now'), list = now?.parentNode
  if (list && list.scrollWidth > list.clientWidth) list.scrollLeft += now.getBoundingClientRect().left - list.getBoundingClientRect().left - 24
  advance(+tray?.dataset.pause)
}

function advance(pause) {
  clearTimeout(advancing)
  if (tray?.dataset.pause) advancing = setTimeout(() => tray.requestSubmit($('#advance')), pause)
}

function stored(name, value) {
  try {
    if (value) localStorage.setItem(name, value)
    return localStorage.getItem(name)
  } catch { return null }
}

const stayAwake = () => tray && document.visibilityState === 'visible' && navigator.wakeLock?.request('screen').catch(() => {})
document.addEventListener('visibilitychange', stayAwake)

refresh()
stayAwake()

// ---- a throw in three beats: dice rattle from the press on, land, and slide to Kept; then the answer is swapped in

if (window.htmx) {
  const RATTLE = 120, FALL = 350, STAGGER = 30, LATE = 150, SLIDE = 180, FADE = 100, STAND = 1600 // milliseconds
  const still = () => root.dataset.motion === 'none'
  const column = die => die.className.match(/\bc\d\b/)[0]

  let stage, lifted = 0 // the dice in the air, and since when
  let hurry, over // ends the beats; whether it was called
  let landed = -STAND

  function lift(columns) {
    putDown()
    const line = $('.dice', tray)
    if (!line || !columns.length || still()) return
    stage = document.createElement('div')
    stage.className = 'stage'
    stage.ariaHidden = 'true'
    stage.innerHTML = columns.map(name => `<i class="rolled ${name}"><svg><use/></svg></i>`).join('')
    for (const die of line.children) die.classList.toggle('lifted', columns.length === all().length || columns.includes(column(die)))
    line.append(stage)
    lifted = performance.now()
    if (calm()) return
    $$('svg', stage).forEach((svg, n) => svg.animate(
      [{ transform: 'translateY(-9%) rotate(-5deg)' }, { transform: 'translateY(-14%) rotate(5deg)' }],
      { duration: RATTLE / 2, iterations: Infinity, direction: 'alternate', delay: -17 * n },
    ))
  }

  function putDown() {
    stage?.remove()
    stage = null
    for (const die of $$('.lifted')) die.classList.remove('lifted')
  }

  document.addEventListener('submit', ({ target, submitter }) => {
    const lying = $$('.dice > .die:not(.old)', target)
    if (target !== tray || !['throw', 'pick-up', 'advance'].includes(submitter?.id)) return
    const free = lying.filter(die => !$(':checked', die)) // none after all six have scored
    const next = submitter.id === 'pick-up' ? lying.map(column) : tray.dataset.next?.match(/\d/g)?.map(n => 'c' + n)
    if (next || tray.dataset.choices) lift(next ?? (free.length ? free.map(column) : all()))
  })

  document.addEventListener('htmx:finally:request', ({ target }) => { if (target.id === 'tray') putDown() })

  function tumble(dice) {
    const seen = new Map(dice.map(die => [column(die), $('use', die).getAttribute('href')]))
    const all = $$('.rolled', stage).sort((a, b) => column(a) < column(b) ? -1 : 1)
    let lasts = 0
    all.forEach((die, n) => {
      const svg = $('svg', die), use = $('use', die)
      const last = n === all.length - 1 && all.length < 3
      const delay = calm() ? 0 : n * STAGGER, duration = calm() ? FADE : FALL + (last ? LATE : 0)
      for (const rattle of svg.getAnimations()) rattle.cancel()
      use.setAttribute('href', seen.get(column(die)))
      lasts = Math.max(lasts, delay + duration)
      if (calm()) return svg.animate([{ opacity: 0 }, { opacity: 1 }], duration)
      const turn = (n % 2 ? 1 : -1) * (200 + 37 * n % 90)
      svg.animate([
        { transform: `translateY(-14%) rotate(${turn}deg)`, easing: 'cubic-bezier(.3,.6,.5,1)' },
        { transform: `translateY(-46%) rotate(${turn / 2}deg)`, offset: .35, easing: 'ease-in' },
        { transform: 'translateY(3%)', offset: .8 },
        { transform: 'none' },
      ], { duration, delay, fill: 'backwards' })
      use.animate([{ opacity: 0 }, { opacity: 0, offset: .65 }, { opacity: 1 }], { duration, delay, fill: 'backwards' })
    })
    return lasts
  }

  function slide(dice) {
    const down = dice.filter(die => die.classList.contains('down') || $('[checked]', die)).map(column)
    if (!down.length || calm()) return 0
    $$('.rolled', stage).filter(die => down.includes(column(die))).forEach((die, n) => {
      die.classList.add('down')
      setTimeout(cue, 25 * n, 'keep')
    })
    return SLIDE
  }

  function countUp(next) {
    const sum = $('#sum'), to = $('output#sum', next)
    if (!sum || !to || to === sum || calm()) return
    const number = e => +e.textContent.replace(/\D/g, '')
    const from = sum.tagName === 'OUTPUT' ? number(sum) : 0, gain = number(to) - from
    tray.classList.add('counting')
    const began = performance.now()
    requestAnimationFrame(function step(now) {
      if (!stage) return
      const part = Math.min(1, Math.max(0, (now - began) / SLIDE))
      sum.textContent = part < 1 ? Math.round(from + gain * part).toLocaleString(root.lang) : to.textContent
      if (part < 1) requestAnimationFrame(step)
    })
  }

  function beat(lasts) {
    return over || new Promise(done => {
      const timer = setTimeout(done, lasts)
      hurry = () => {
        over = true
        clearTimeout(timer)
        done()
      }
    })
  }

  async function play(next) {
    clearTimeout(advancing) // somebody else's page was quicker
    const dice = $$('.die:not(.old, .blank)', next), columns = dice.map(column)
    const inAir = stage && $$('.rolled', stage).map(column)
    over = false
    root.classList.add('played') // so that the dice don't fall again with the answer
    if (!still() && tray.dataset.pause !== '0') {
      if (inAir?.length !== columns.length || !columns.every(name => inAir.includes(name))) lift(columns)
      if (!calm()) await beat(RATTLE - (performance.now() - lifted))
      cue('throw')
      if (!over) await beat(tumble(dice))
      if (next.dataset.stands) await beat(+next.dataset.stands)
      if (!over) countUp(next)
      if (!over) await beat(slide(dice))
    } else cue('throw')
    hurry = null
    landed = performance.now()
    putDown()
  }

  const swap = htmx.swap.bind(htmx)
  let answers = Promise.resolve() // one after the other: others may move while these dice fall

  htmx.swap = ctx => answers = answers.catch(() => {}).then(() => show(ctx))

  async function show(ctx) {
    const answer = document.createElement('template')
    answer.innerHTML = ctx.text
    const end = $('#last-throw', answer.content), next = $('#tray', (end ?? answer).content), live = $('#live', answer.content)
    const fell = tray && next && +next.dataset.throw > +tray.dataset.throw && !next.dataset.script && $('.die:not(.old, .blank)', next)
    const banked = sent?.target === ctx.sourceElement && sent.submitter?.id === 'bank'
    end?.remove()
    if (live) clearTimeout(announcing)
    if (fell && live) { // a screen reader need not wait for the dice
      $('#live').textContent = live.textContent
      live.remove()
    }
    if (fell || end) ctx.text = answer.innerHTML
    if (fell && !document.hidden) await play(next)
    if (fell && end) {
      tray.replaceWith(next)
      tray = next
      celebrate()
    }
    if (tray && end && !banked && !document.hidden) {
      over = false
      await beat(STAND - (performance.now() - landed))
      hurry = null
    }
    const parts = $$(':is(#ways, #turnlog, #earlier):not(:focus-within)')
    const leaves = $$('#say *, #scores *, #tray *').filter(leaf => leaf.firstChild && !leaf.childElementCount)
    for (const part of [...parts, ...leaves]) part.innerHTML = part.innerHTML // new elements count as no layout shift
    await swap(ctx)
    if (fell && !end) celebrate()
  }

  // a press during the beats ends them, and counts if its button stays the same

  const mark = button => button && button.id + button.textContent + button.ariaDisabled
  let aim

  function endBeats(event) {
    aim = hurry && mark(event.target.closest('.big'))
    hurry?.()
  }

  document.addEventListener('pointerdown', endBeats, true)

  document.addEventListener('click', event => {
    const button = event.target.closest('.big')
    if (event.isTrusted && event.detail && aim && button && mark(button) !== aim) {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    aim = null
  }, true)

  document.addEventListener('keydown', event => {
    if (!hurry || event.repeat || ['Shift', 'Control', 'Alt', 'Meta', 'Tab'].includes(event.key) || typing(event.target)) return
    const button = ['Enter', ' '].includes(event.key) && event.target.closest('.big') || control(readKey(event))
    const wanted = button?.matches('.big') && mark(button)
    if (wanted) {
      event.preventDefault()
      event.stopImmediatePropagation()
      if (!root.matches('.opening')) document.addEventListener('htmx:finally:request', () => setTimeout(() => { // the form may send again
        const now = document.getElementById(button.id)
        if (mark(now) === wanted) now.click()
      }), { once: true })
    }
    hurry()
  }, true)

  document.addEventListener('visibilitychange', () => document.hidden && hurry?.())

  // the first throw was made on the home page and is played here, as the page opens

  if (location.hash === '#top' && $('#tray .die:not(.old)')) {
    root.classList.add('opening')
    document.addEventListener('DOMContentLoaded', async () => { // live.js makes the sounds
      await play(tray)
      root.classList.remove('opening')
      history.replaceState(null, '', location.pathname)
      celebrate()
      advance(+tray.dataset.pause)
      $('#status').focus({ focusVisible: false }) // nobody has pressed a key here yet
      announce($('#live').textContent)
    })
  }
}
