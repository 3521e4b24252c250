// The pad for real dice: digits and amounts go into the field, faces onto the felt. Loaded when a page first shows it.
// The server says what dice score: the form is sent when all of them have been laid down.

const $ = selector => document.querySelector(selector)
const findPad = () => $('#tray.pad, #tray.tap')

// ---- typed points

function enterDigits({ digit, add, back }) {
  const field = $('#points')
  const before = field.value.replace(/\D/g, '') // "1.000" was typed by hand
  let points = before
  if (digit != null) points = String(+(before + digit))
  else if (add != null) points = String(+before + +add)
  else if (back != null) points = before.slice(0, -1)
  if (points.length > field.maxLength) return explain(findPad().dataset.full)
  field.value = points
  labelBank()
}

const GROUPED = /^\d{1,3}([.,'’ \u00a0\u202f])\d{3}(\1\d{3})?$/ // "1.000", as game/forms/fields.py reads it

function readPoints(text) { // NaN if the server would refuse it
  const digits = GROUPED.test(text) ? text.replace(/\D/g, '') : text
  return /^\d*$/.test(digits) ? +digits : NaN
}

function labelBank() { // the Bank button says how many points it banks
  const field = $('#points')
  if (!field) return
  const { soFar, bank, empty } = findPad().dataset
  const points = readPoints(field.value.trim()) + +soFar
  $('#bank b').textContent = points ? bank.replace('{points}', points.toLocaleString(document.documentElement.lang)) : empty
}

// ---- tapped dice

let thrown = '' // the faces of the last throw that was sent
let undoes = false

function layFace(face) {
  const field = $('#faces'), { due } = findPad().dataset
  if (field.value.length < due) field.value += face
  announceFaces()
  thrown = field.value
  if (thrown.length === +due) findPad().requestSubmit($('#next'))
}

function removeFace() {
  $('#faces').value = $('#faces').value.slice(0, -1)
  announceFaces()
}

function announceFaces() {
  drawFaces()
  const faces = [...$('#faces').value].join(' ')
  $('#live').textContent = faces ? findPad().dataset.said.replace('{dice}', faces) : $('#next').innerText
}

function drawFaces() {
  const dice = $('#tray.tap .dice'), { columns } = findPad().dataset
  const faces = $('#faces').value
  for (const die of dice.querySelectorAll('.new')) die.remove()
  ;[...faces].forEach((face, at) => {
    const die = document.createElement('span')
    die.className = `die plain new c${columns[at]}`
    die.innerHTML = `<svg aria-hidden="true"><use href="#f${+face}"/></svg>`
    dice.append(die)
  })
}

// ---- the page

document.addEventListener('click', event => {
  const at = event.target.closest?.('.digits button, [data-tap], [data-untap]')
  undoes = !!event.target.closest?.('#back')
  if (!at || !findPad()) return
  if (at.closest('.digits')) enterDigits(at.dataset)
  else if ('tap' in at.dataset) layFace(at.dataset.tap)
  else removeFace()
})

document.addEventListener('input', event => event.target.id === 'points' && labelBank())

function refresh() {
  labelBank()
  const field = $('#faces')
  // An undone throw lies there again but for its last die, whose tap had sent it: most often that was the wrong one.
  if (undoes && field && !field.value && thrown.length === +findPad().dataset.due) field.value = thrown.slice(0, -1)
  undoes = false
  if (field?.value) drawFaces() // also the dice laid down before a refusal
}

document.addEventListener('htmx:after:swap', refresh)
refresh()
