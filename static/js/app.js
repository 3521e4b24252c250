// On the home page only: the service worker for a page without a connection, and a quiet line in the menu to install.
'use strict'
navigator.serviceWorker?.register('/sw.js').catch(() => {}) // plain http on a home network has none

addEventListener('beforeinstallprompt', event => {
  event.preventDefault() // no pop-up
  const line = document.querySelector('#install')
  line.hidden = false
  line.querySelector('button').onclick = () => event.prompt()
})
