// Passes on a link or a result: through the phone's sharing menu, or else the clipboard. Loaded at the first press.
export async function passOn(button) {
  const { share: url, copy: text } = button.dataset
  if (url && navigator.share) return navigator.share({ text: button.dataset.text, url }).catch(() => {}) // closed without sharing
  try {
    await navigator.clipboard.writeText(text)
  } catch { // it may be refused, and in a home network, without https, there is none
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
