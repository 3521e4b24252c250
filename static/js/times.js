// Shows moments in this browser's time zone, and as people write them where its language is spoken.
const page = document.documentElement.lang, ours = page === 'en' ? 'en-GB' : page // as the server writes them
const spoken = navigator.languages.find(own => own.startsWith(`${page}-`)) || ours
const day = { dateStyle: 'long' }, moment = { ...day, timeStyle: 'short' }

function localize() {
  for (const time of document.querySelectorAll('time[data-script]')) {
    const text = new Date(time.dateTime).toLocaleString(spoken, time.matches('.day') ? day : moment)
    if (time.matches('.day')) document.title = document.title.replace(time.textContent, text)
    time.textContent = text
  }
}

localize()
document.addEventListener('htmx:after:swap', localize)
