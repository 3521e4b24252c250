// A button that only a script can serve appears with the script.
const button = document.getElementById('print')
button.hidden = false
button.addEventListener('click', () => print())
