// Says once, below the first finished game, how to install the site. `installs`: the browser's offer, if it makes one.
const hint = document.querySelector('#install-hint'), seen = 'install-hint'
const ios = navigator.standalone === false // Safari on a phone or tablet makes no offer

if (hint && !stored(seen) && (window.installs || ios)) {
  stored(seen, 'shown')
  const button = hint.querySelector('button')
  button.hidden = ios
  if (ios) hint.querySelector('span').textContent = hint.dataset.ios
  button.onclick = () => window.installs.prompt()
  hint.hidden = hint.parentNode.hidden = false // without the hint, the panel may be empty
}
