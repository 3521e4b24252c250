// Shows the page that was wanted as soon as the site can be reached.
const EVERY = 3000 // milliseconds
setInterval(async () => {
  if (document.hidden || !navigator.onLine) return
  const answer = await fetch('/healthz', { method: 'HEAD' }).catch(() => null)
  if (answer?.ok) location.reload()
}, EVERY)
