// Where visits begin, at home and by an invite: the service worker, for the offline page. And in the menu of the home
// page a quiet line to install the app.
'use strict'
navigator.serviceWorker?.register('/sw.js').catch(() => {}) // there is none over plain http on a home network

addEventListener('beforeinstallprompt', event => {
  event.preventDefault() // the browser shows no pop-up
  const line = document.querySelector('#install')
  if (!line) return
  line.hidden = false
  line.querySelector('button').onclick = () => {
    line.hidden = true // a browser takes one answer to each offer
    closeMenu()
    event.prompt()
  }
})
