// Works out every throw of a game again, from what the page shows. It has SHA-256 and HMAC of its own, because
// crypto.subtle is missing over plain http, which is how a home network serves this page.
'use strict'
{
  // ---- SHA-256 (FIPS 180-4) and HMAC (RFC 2104), on arrays of bytes

  const primes = (function* () {
    for (let n = 2; ; n++) {
      let prime = true
      for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false
      if (prime) yield n
    }
  })()
  const first64 = Array.from({ length: 64 }, () => primes.next().value)
  const fraction = x => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0
  const ROOTS = first64.slice(0, 8).map(p => fraction(Math.sqrt(p)))
  const K = first64.map(p => fraction(Math.cbrt(p)))
  const rotate = (x, n) => x >>> n | x << 32 - n

  function sha256(bytes) {
    const length = bytes.length, blocks = (length + 72) >> 6
    const data = new DataView(new ArrayBuffer(blocks * 64))
    bytes.forEach((byte, at) => data.setUint8(at, byte))
    data.setUint8(length, 0x80)
    data.setUint32(data.byteLength - 8, Math.floor(length / 2 ** 29))
    data.setUint32(data.byteLength - 4, length << 3)
    const hash = [...ROOTS], w = new Int32Array(64)
    for (let block = 0; block < blocks; block++) {
      for (let i = 0; i < 64; i++) {
        if (i < 16) { w[i] = data.getInt32(block * 64 + i * 4); continue }
        const a = w[i - 15], b = w[i - 2]
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >>> 3) + w[i - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >>> 10)
      }
      mixBlock(hash, w)
    }
    return hash.flatMap(word => [word >>> 24, word >>> 16 & 255, word >>> 8 & 255, word & 255])
  }

  function mixBlock(hash, w) {
    let [a, b, c, d, e, f, g, h] = hash
    for (let i = 0; i < 64; i++) {
      const one = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + (e & f ^ ~e & g) + K[i] + w[i] | 0
      const two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + (a & b ^ a & c ^ b & c) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, d + one | 0, c, b, a, one + two | 0]
    }
    ;[a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] = hash[i] + word | 0 })
  }

  function hmac(key, bytes) { // a key of 32 bytes, shorter than a block
    const padded = [...key, ...new Array(64 - key.length).fill(0)]
    const inner = sha256([...padded.map(byte => byte ^ 0x36), ...bytes])
    return sha256([...padded.map(byte => byte ^ 0x5c), ...inner])
  }

  const utf8 = text => [...new TextEncoder().encode(text)]
  const hex = bytes => bytes.map(byte => byte.toString(16).padStart(2, '0')).join('')
  const unhex = text => (text.match(/../g) ?? []).map(pair => parseInt(pair, 16))

  // ---- the scheme

  const SCHEME = 'tt-dice-1'
  const sealSeed = (code, epoch, seed) => hex(sha256([...utf8(`${SCHEME}|${code}|${epoch}|`), ...seed]))
  const hashWords = words => hex(sha256(utf8(words.map((word, i) => `${i + 1}:${hex(sha256(utf8(word)))}`).join('\n'))))

  function drawDice(seed, code, epoch, table, number, count) {
    const faces = []
    for (let block = 0; faces.length < count; block++) {
      const bytes = hmac(seed, utf8(`${SCHEME}|${code}|${epoch}|${table}|${number}|${block}`))
      faces.push(...bytes.filter(byte => byte < 252).map(byte => byte % 6 + 1))
    }
    return faces.slice(0, count)
  }

  // ---- the page

  const findAll = (selector, from = document) => [...from.querySelectorAll(selector)]
  const verdict = document.querySelector('#verdict'), throws = document.querySelector('#throws')
  const { code } = document.querySelector('#words').dataset
  const made = hashWords(findAll('#words [data-word]').map(row => row.dataset.word))
  let checked = 0, wrong = 0

  function markCell(cell, fits, given) {
    const words = throws?.dataset ?? {}
    const sign = document.createElement('span'), text = document.createElement('span')
    sign.textContent = fits ? '✓' : '✗'
    sign.setAttribute('aria-hidden', 'true')
    text.textContent = fits ? words.fits ?? '' : (words.wrong ?? '').replace('{dice}', given)
    text.className = fits ? 'vh' : ''
    cell.className += fits ? ' good' : ' wrong'
    cell.replaceChildren(sign, ' ', text)
    if (!fits) wrong++
  }

  function checkThrows() {
    const seeds = {}
    for (const epoch of findAll('.epoch')) {
      const of = name => epoch.querySelector(`[data-${name}]`)?.textContent
      if (!of('seed')) continue
      const name = epoch.dataset.epoch
      const seed = seeds[name] = unhex(of('seed'))
      const given = sealSeed(code, name, seed)
      markCell(epoch.querySelector('[data-of=seal]'), given === of('seal'), given)
      markCell(epoch.querySelector('[data-of=table]'), made === of('table'), made)
    }
    for (const row of findAll('tr[data-number]', throws ?? document)) {
      const { epoch, number } = row.dataset
      const fell = row.querySelector('.fell').textContent
      const given = drawDice(seeds[epoch], code, epoch, made, number, fell.split(' ').length).join(' ')
      markCell(row.cells[2], given === fell, given)
      checked++
    }
    const outcome = wrong ? 'bad' : checked ? 'good' : 'none'
    const grouped = count => count.toLocaleString(document.documentElement.lang)
    verdict.textContent = verdict.dataset[outcome].replace('{n}', grouped(checked)).replace('{bad}', grouped(wrong))
    verdict.className = wrong ? 'wrong' : 'good'
  }

  verdict.textContent = verdict.dataset.busy
  setTimeout(checkThrows, 50) // so that "working" is seen first, and a screen reader announces the result as a change
}
