// The switches in the game's menu, and the notice that it is your turn. Loaded when the menu is opened or one is pressed.
// Uses $, root, stored and announce of game.js.
const stream = $('#stream'), icon = $('link[rel=icon]').href
const canTell = () => isSecureContext && 'Notification' in window
const tells = () => canTell() && stored('tell') === 'on' && Notification.permission === 'granted'

export function show() {
  const teller = $('#tell')
  if (!teller || !canTell()) return
  teller.setAttribute('aria-pressed', tells())
  teller.hidden = false
}

export async function press(button, play) {
  if (button.id === 'sound') return hush(button, play)
  const wanted = button.getAttribute('aria-pressed') !== 'true'
  const allowed = wanted && await Notification.requestPermission() === 'granted'
  stored('tell', allowed ? 'on' : 'off')
  announce(allowed ? button.dataset.on : wanted ? button.dataset.denied : button.dataset.off)
  show()
}

const on = () => root.dataset.sound !== 'off'
let loud = on() ? root.dataset.sound : 'soft'

function hush(speaker, play) {
  root.dataset.sound = on() ? 'off' : loud
  speaker.setAttribute('aria-pressed', on())
  announce(on() ? speaker.dataset.on : speaker.dataset.off)
  play('keep')
  const values = { sound: root.dataset.sound, csrfmiddlewaretoken: speaker.value }
  htmx.ajax('POST', speaker.dataset.url, { source: speaker, swap: 'none', values })
}

export function tell() {
  if (!tells()) return
  const options = { body: $('#status').textContent.trim(), tag: location.pathname, icon }
  try {
    new Notification(stream.dataset.turn, options).onclick = () => focus()
  } catch { // phones only let a service worker say it
    navigator.serviceWorker?.getRegistration().then(worker => worker?.showNotification(stream.dataset.turn, options))
  }
}
