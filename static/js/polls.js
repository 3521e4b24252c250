// In the admin, which has no game.js: a page asks again and again only while somebody looks.
document.addEventListener('every', event => document.hidden && event.stopPropagation(), true)
