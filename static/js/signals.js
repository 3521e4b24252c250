// The switches in the game's menu, and the call to a player who is due but looks elsewhere. Loaded when it is needed.
// Uses $, root, words, stored and announce of game.js, isMyTurn and isLooking of live.js.
const stream = $('#stream'), icon = $('link[rel=icon]'), plain = icon.href
const canNotify = () => isSecureContext && 'Notification' in window
const mayNotify = () => canNotify() && stored('tell') === 'on' && Notification.permission === 'granted'

if ($('[data-script] > #tell')) show() // the switch is on the page itself, not in the menu

export async function show() {
  const teller = $('#tell')
  if (!teller) return
  const safari = navigator.standalone === false // on a phone
  const why = canNotify() ? Notification.permission === 'denied' && 'denied' : safari && 'ios'
  if (why) return teller.replaceWith(teller.dataset[why])
  if (!canNotify()) return
  teller.hidden = false
  const push = await import(teller.dataset.push)
  teller.setAttribute('aria-pressed', mayNotify() && (!push.possible || await push.isCalled(teller)))
}

export async function press(button, play) {
  if (button.id === 'sound') return toggleSound(button, play)
  const wanted = button.getAttribute('aria-pressed') !== 'true'
  const allowed = wanted && await Notification.requestPermission() === 'granted'
  const push = await import(button.dataset.push)
  const away = await (allowed ? push.call(button) : push.stop(button)) // whether it works with the page closed
  stored('tell', allowed ? 'on' : 'off')
  button.setAttribute('aria-pressed', allowed)
  const { on, here, denied, off } = button.dataset
  announce(allowed ? away ? on : here : wanted ? denied : off)
  if (wanted && !allowed) show()
}

// ---- sounds

const isLoud = () => root.dataset.sound !== 'off'
let loud = isLoud() ? root.dataset.sound : 'soft'

function toggleSound(speaker, play) {
  root.dataset.sound = isLoud() ? 'off' : loud
  speaker.setAttribute('aria-pressed', isLoud())
  announce(isLoud() ? speaker.dataset.on : speaker.dataset.off)
  play('keep')
  const values = { sound: root.dataset.sound, csrfmiddlewaretoken: speaker.value }
  htmx.ajax('POST', speaker.dataset.url, { source: speaker, swap: 'none', values })
}

// ---- your turn, for a player who is looking elsewhere

let called = false, notice
const url = location.pathname, registration = async () => navigator.serviceWorker?.getRegistration()

export function call() {
  called = true
  navigator.setAppBadge?.(1).catch(() => {})
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(60)
  if (mayNotify()) notify()
  markTitle()
}

function markTitle() {
  if (!called) return
  called = !isLooking() && isMyTurn()
  document.title = `${called ? '● ' + stream.dataset.turn : $('#status')?.textContent.trim() ?? ''} · ${words.site}`
  icon.href = called ? stream.dataset.icon : plain
  if (called) return
  navigator.clearAppBadge?.().catch(() => {})
  notice?.close()
  registration().then(async own => (await own?.getNotifications({ tag: url }))?.forEach(shown => shown.close()))
}

addEventListener('focus', markTitle)
document.addEventListener('visibilitychange', markTitle)
document.addEventListener('htmx:after:swap', markTitle)

function notify() {
  const options = { body: $('#status').textContent.trim(), tag: url, data: url, icon: plain, renotify: true }
  try {
    notice = new Notification(stream.dataset.turn, options)
    notice.onclick = () => focus()
  } catch { // on phones, only a service worker may show it
    registration().then(own => own?.showNotification(stream.dataset.turn, options))
  }
}
