// Keeps the files of this site and the page for when there is no connection. Games are never kept.
// Shows calls: it is somebody's turn, and no page of the game is open.
'use strict'
const NAME = {{ (name ~ program)|tojson }} // another with each version of the program, whose pages may differ
const KEEPS = {{ keeps|tojson }}
const OFFLINE = {{ offline|tojson }}

self.addEventListener('install', event => {
  event.waitUntil(caches.open(NAME).then(cache => cache.addAll(KEEPS)).then(() => self.skipWaiting()))
})

self.addEventListener('activate', event => {
  const others = names => Promise.all(names.filter(name => name !== NAME).map(name => caches.delete(name)))
  event.waitUntil(caches.keys().then(others).then(() => self.clients.claim()))
})

self.addEventListener('fetch', event => {
  const { request } = event
  const path = new URL(request.url).pathname
  const ours = request.referrer.startsWith(`${location.origin}/`) // what other sites send here is left to the browser
  const form = ours && request.mode === 'navigate' && request.headers.get('Content-Type')?.endsWith('urlencoded')
  if ((request.method !== 'GET' && !form) || !request.url.startsWith(location.origin)) return
  // Only the answer may have got lost: a form with a key is sent once more, which has no second effect.
  const lost = form && request.clone()
  const again = async () => (await lost.clone().formData()).has('key') ? fetch(lost) : back()
  const kept = () => caches.open(NAME).then(cache => cache.match(KEEPS.includes(path) ? path : OFFLINE))
  // The page of the form, as soon as there is a connection; a game's, where the form answered another one.
  const back = () => Response.redirect(request.referrer.replace(/(\/g\/[^/?]+).*/, '$1'))
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(form ? () => again().catch(back) : kept))
  else if (KEEPS.includes(path) && path !== OFFLINE) event.respondWith(kept().then(answer => answer ?? fetch(request)))
})

self.addEventListener('push', event => {
  const { title, body, url } = event.data.json()
  const icon = {{ icon|tojson }}
  const options = { body, icon, tag: url, data: url, renotify: true } // one for each game, and none of them silent
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', event => {
  const { notification: { data: url } } = event
  event.notification.close()
  event.waitUntil(self.clients.matchAll({ type: 'window' }).then(pages => {
    const open = pages.find(page => new URL(page.url).pathname === url)
    return open ? open.focus() : self.clients.openWindow(url)
  }))
})
