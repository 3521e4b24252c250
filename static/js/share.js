// Gives a link or a result on: through what the phone shares with, else to the clipboard. Loaded when it is first pressed.
export async function passOn(button) {
  const { share: url, copy: text } = button.dataset
  if (url && navigator.share) return navigator.share({ text: button.dataset.text, url }).catch(() => {}) // closed without choosing whom
  if (navigator.clipboard) await navigator.clipboard.writeText(text)
  else { // in a home network, without https
    const field = Object.assign(document.createElement('textarea'), { value: text })
    button.after(field)
    field.select()
    document.execCommand('copy')
    field.remove()
    button.focus()
  }
  button.textContent = words.copied
  announce(words.copied)
}
