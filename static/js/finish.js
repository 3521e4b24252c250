// The picture of a result: shared as a file if the browser can do that, else offered for saving. Loaded after a game.
const makeFile = blob => new File([blob], '10000.png', { type: 'image/png' })
const takesFiles = navigator.canShare?.({ files: [makeFile('')] })

async function paintPicture(source) {
  const image = Object.assign(new Image(), { src: source })
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: 1200, height: 630 })
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise(done => canvas.toBlob(blob => done(makeFile(blob)), 'image/png'))
}

document.addEventListener('click', async event => {
  const pressed = event.target.closest('#share > summary, #share [download]'), share = pressed?.closest('#share')
  const sends = pressed?.localName === 'summary'
  if (!share || sends && (share.open || !takesFiles)) return
  event.preventDefault()
  try {
    const picture = await paintPicture(share.querySelector('img').src)
    if (sends) await navigator.share({ files: [picture], text: `${share.dataset.text} ${share.dataset.link}` })
    else savePicture(picture)
  } catch (error) {
    if (error.name !== 'AbortError') share.open = true // otherwise the menu was closed without sharing
  }
})

function savePicture(picture) {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(picture), download: picture.name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60000)
}
