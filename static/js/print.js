// The button to print needs a script, so it appears only where this one runs.
const button = document.getElementById('print')
button.hidden = false
button.addEventListener('click', () => print())
