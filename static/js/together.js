// What the people at one table see of each other at once: the choice that somebody is making.
// Loaded when there is something of it to show or to send. Uses $, $$, tray, keeps, write and announce of game.js.

const WAIT = 150, AGAIN = 1000, QUIET = 900 // milliseconds
const column = die => die.dataset.value ?? /\bc(\d)\b/.exec(die.className)[1]
const lying = () => $$('.die:not(.old)', tray)

// ---- somebody else's choice

let latest = '' // "812 25": the throw and the columns that are set aside

export function choice(line) {
  latest = line
  const said = lay()
  if (said) announce(said, QUIET)
}

function lay() { // returns what there is to say of it
  const [fallen, columns] = latest.split(' ')
  if (!fallen || tray?.dataset.throw !== fallen || $('input[name=keep]', tray)) return
  const chosen = lying().filter(die => columns.includes(column(die)))
  const found = keeps[chosen.map(die => $('use', die).getAttribute('href').at(-1)).sort().join('')]
  if (!found) return
  for (const die of lying()) die.classList.toggle('down', chosen.includes(die))
  write(found)
  return columns && found[7]
}

document.addEventListener('htmx:after:swap', lay) // the dice may come later than the choice

// ---- one's own

let timer, sent = '', sending = false

export function share() {
  clearTimeout(timer)
  timer = setTimeout(send, WAIT)
}

async function send() {
  if (sending) return share()
  const address = tray?.dataset.onlookers
  const line = address && `${tray.dataset.throw} ${checked().map(die => die.value).join('')}`
  if (!line || line === sent) return
  sending = true
  sent = line
  try {
    const { status } = await fetch(address, { method: 'POST', body: new URLSearchParams(new FormData(tray)) })
    if (status === 429) {
      sent = ''
      timer = setTimeout(send, AGAIN)
    }
  } catch { sent = '' } // offline: the next tap sends what holds then
  sending = false
}
