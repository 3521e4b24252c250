// Says once, below the first finished game, how to install the site. `installs`: the browser's offer, if it makes one.
const hint = document.querySelector('#install-hint'), seen = 'install-hint'
const ios = navigator.standalone === false // Safari on a phone or tablet makes no offer

if (hint && !stored(seen) && (window.installs || ios)) {
  stored(seen, 'shown')
  const button = hint.querySelector('button')
  button.hidden = ios
  if (ios) hint.querySelector('span').textContent = hint.dataset.ios
  const panel = hint.parentNode, empty = panel.hidden // without the hint
  const show = on => { hint.hidden = !on; panel.hidden = !on && empty }
  button.onclick = () => {
    show(false) // a browser takes one answer to each offer
    $('#status').focus()
    window.installs.prompt()
  }
  show(true)
}
