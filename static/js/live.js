// Keeps the page up to date, with game.js: hears of each new version, fetches it, and says whose turn it is.
'use strict'
const stream = $('#stream')
const seated = 'seated' in stream.dataset // it listens even in a hidden tab, where "your turn" matters most
const OFTEN = 5000, RARELY = 30000, REFUSED = 30000, PATIENCE = 3000 // milliseconds

const load = (name, act) => import(stream.dataset[name]).then(act).catch(() => {})

// ---- the stream, and asking when there is none

let source, newest = 0, asking = false, sending = 0, tick, lost, again503

const paused = () => document.hidden && !seated
const connected = () => newest > 0 && source.readyState === EventSource.OPEN // and heard

function listen() {
  source?.close()
  clearTimeout(again503)
  newest = 0
  askLater()
  if (paused()) return
  source = new EventSource(stream.dataset.live)
  source.onmessage = ({ data }) => {
    newest = +data
    markConnected()
    if (!catchUp()) askLater()
  }
  for (const kind of ['choice', 'reaction']) {
    source.addEventListener(kind, ({ data }) => load('together', together => together[kind](data)))
  }
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) { // too many are listening
      again503 = setTimeout(listen, REFUSED * (1 + Math.random()))
      lost = clearTimeout(lost)
    } else lost ??= setTimeout(() => showProblem(offline()), PATIENCE)
    clearTimeout(tick)
    tick = setTimeout(ask, 1000)
  }
}

function markConnected() {
  lost = clearTimeout(lost)
  const text = $('#problem')?.textContent
  if (text === stream.dataset.gone) location.reload()
  if ([words.offline, words.kept].includes(text)) $('#problem').remove()
  if (again) sendAgain()
}

function closeGame() { // deleted, or closed to spectators
  source?.close()
  clearTimeout(again503)
  clearTimeout(tick)
  lost = clearTimeout(lost)
  for (const button of $$('[action^="/g/"] button')) button.hidden = true
  showProblem(stream.dataset.gone)
}

function catchUp() {
  if (newest <= findVersion()) return false
  ask()
  return true
}

function askLater() {
  clearTimeout(tick)
  if (!paused()) tick = setTimeout(ask, connected() && newest === findVersion() ? RARELY : OFTEN)
}

function ask() {
  clearTimeout(tick)
  if (asking || sending) return // after the request under way, the page looks again
  asking = true
  const address = new URL(stream.dataset.board, location)
  address.searchParams.set('version', findVersion())
  for (const name of ['there', 'sat']) {
    const value = $(`[data-${name}]`)?.dataset[name]
    if (value != null) address.searchParams.set(name, value)
  }
  htmx.ajax('GET', address.pathname + address.search, { source: stream, swap: 'none' })
}

document.addEventListener('htmx:before:request', ({ target, detail: { ctx } }) => {
  if (target === stream) return
  sending++
  if (ctx.request.method !== 'GET') htmx.trigger(stream, 'htmx:abort') // its answer could come last
})

document.addEventListener('htmx:finally:request', ({ target, detail: { ctx } }) => {
  if (target !== stream) {
    sending = Math.max(0, sending - 1)
    if (!sending && !catchUp()) askLater() // or it would not look again until somebody moves
    return
  }
  asking = false
  const { status } = ctx.response ?? {}
  if (!status && !sending && connected() && newest <= findVersion()) return listen() // the stream may be dead, too
  if (status < 400 && !lost) markConnected()
  if (status === 404) return closeGame()
  if (status !== 200 || !catchUp()) askLater()
})

const rejoin = () => connected() && !document.hidden ? ask() : listen() // a phone may have slept
document.addEventListener('visibilitychange', () => document.hidden && seated || rejoin())
addEventListener('pageshow', event => event.persisted && listen())
addEventListener('online', rejoin)
listen()

// ---- your turn, for a player who is looking elsewhere

const isMyTurn = () => !!$('#say[data-yours]')
const isLooking = () => !document.hidden && document.hasFocus()
let due = isMyTurn(), lastCue = $('#say')?.dataset.cue

document.addEventListener('htmx:after:swap', () => {
  const before = due
  due = isMyTurn()
  const { cue, moment: title } = $('#say')?.dataset ?? {}, [kind] = cue?.split(' ') ?? []
  const fell = kind === 'throw' || kind === 'bust' && $('.felt.lost') // its sound is played when the dice have landed
  if (kind && cue !== lastCue && !fell) showMoment(kind, title)
  lastCue = cue
  if (due && !before) {
    playCue('turn')
    callPlayer()
  }
  shareNothing()
})

function callPlayer() {
  if (!isLooking()) load('signals', signals => signals.call())
}

if (due) callPlayer() // opened in the background

// ---- sounds: fetched after the first touch

let awake = false, player
for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, () => { awake = true; playCue() }, { once: true, capture: true })

function playCue(name) {
  if (!awake || root.dataset.sound === 'off') return
  player ??= import(stream.dataset.sounds)
  player.then(({ play }) => name && play(name, root.dataset.sound)).catch(() => { player = null })
}

document.addEventListener('change', ({ target }) => { if (target.name === 'keep') playCue('keep') })

// ---- the switches in the menu, and sharing which dice are set aside
$('#menu').addEventListener('toggle', () => load('signals', signals => signals.show()))
document.addEventListener('click', ({ target }) => {
  if (target.matches('#tell, #sound')) load('signals', signals => signals.press(target, playCue))
  if (target.matches('[data-react]')) load('together', together => together.react(target))
})

function shareAside() {
  if (tray?.dataset.viewers) load('together', together => together.share())
}

function shareNothing() { // others see the initial keep; a player who picks the dice themselves begins with none
  if ($('#tray[data-free]')) shareAside()
}

shareNothing()
