// Under the first finished game, once: how to keep the site at hand. `installs` is the browser's offer, where it has one.
const hint = document.querySelector('#install-hint'), seen = 'install-hint'
const ios = navigator.standalone === false // Safari on a phone or tablet has no offer

if (hint && !stored(seen) && (window.installs || ios)) {
  stored(seen, 'shown')
  const button = hint.querySelector('button')
  button.hidden = ios
  if (ios) hint.querySelector('span').textContent = hint.dataset.ios
  button.onclick = () => window.installs.prompt()
  hint.hidden = false
}
