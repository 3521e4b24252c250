// Passes on a link or a result: through the phone's sharing menu, or else the clipboard. Loaded at the first press.
// `copied`: whether the press itself has copied the text; Safari allows a script to do so only at once.
export async function passOn(button, copied) {
  if ($('#problem')?.textContent === words.unreached) $('#problem').remove() // this script was fetched after all
  const { share: url, copy: text } = button.dataset
  if (url && navigator.share) return navigator.share({ text: button.dataset.text, url }).catch(() => {}) // closed without sharing
  if (!await copied) { // it may be refused, and in a home network, without https, there is none
    const field = Object.assign(document.createElement('textarea'), { value: text })
    button.after(field)
    field.select()
    const done = document.execCommand('copy')
    field.remove()
    button.focus()
    if (!done) return prompt(button.textContent.trim(), text) // selected, so that the reader can copy it
  }
  button.textContent = words.copied
  announce(words.copied)
}
