// The sounds of the game. The browser makes them itself, so there is nothing to fetch but this script.
const VOLUME = { soft: 0.25, full: 0.8 }
const QUIET = 10000 // ms after which a page without a sound lets the speaker rest, for the battery

let audio, resting

export function play(name, level) {
  audio ??= new AudioContext()
  audio.resume().catch(() => {}) // a phone stops it while it is locked, and so may the timer just now
  clearTimeout(resting)
  resting = setTimeout(() => audio.suspend(), QUIET)
  const out = new GainNode(audio, { gain: VOLUME[level] ?? VOLUME.soft })
  out.connect(audio.destination)
  sounds[name]?.(audio.currentTime + 0.02, out)
}

const sounds = {
  throw: (at, out) => { // a rattle that settles
    for (const [after, pitch, loud] of [[0, 1900, 0.5], [0.05, 2500, 0.7], [0.09, 1600, 0.6], [0.15, 2200, 0.8], [0.21, 1500, 0.6], [0.3, 1200, 0.5]]) playKnock(at + after, pitch, 0.03, loud, out)
  },
  keep: (at, out) => playKnock(at, 1400, 0.02, 0.5, out),
  bank: (at, out) => { // two notes on wood
    playNote(at, 523, 0.18, 0.5, 'triangle', out)
    playNote(at + 0.13, 784, 0.3, 0.5, 'triangle', out)
  },
  bust: (at, out) => { // a thud
    playNote(at, 98, 0.3, 0.9, 'sine', out, 49)
    playKnock(at, 300, 0.06, 0.4, out)
  },
  hot: (at, out) => [659, 784, 988, 1319].forEach((pitch, n) => playNote(at + n * 0.07, pitch, 0.2, 0.35, 'triangle', out)),
  in: (at, out) => [392, 523, 659].forEach((pitch, n) => playNote(at + n * 0.1, pitch, 0.3, 0.45, 'triangle', out)),
  over: (at, out) => [523, 392].forEach((pitch, n) => playNote(at + n * 0.18, pitch, 0.4, 0.3, 'triangle', out)),
  turn: (at, out) => { // a bell
    for (const [pitch, loud, lasts] of [[880, 0.35, 1.2], [1760, 0.14, 0.8], [2637, 0.07, 0.5]]) playNote(at + 0.25, pitch, lasts, loud, 'sine', out)
  },
  win: (at, out) => [523, 659, 784, 1047].forEach((pitch, n) => playNote(at + n * 0.13, pitch, n === 3 ? 0.7 : 0.25, 0.4, 'triangle', out)),
}

function playNote(at, pitch, lasts, loud, type, out, to = pitch) {
  const tone = new OscillatorNode(audio, { type, frequency: pitch })
  tone.frequency.exponentialRampToValueAtTime(to, at + lasts)
  tone.connect(makeFade(at, lasts, loud, out))
  tone.start(at)
  tone.stop(at + lasts)
}

function playKnock(at, pitch, lasts, loud, out) {
  const noise = new AudioBufferSourceNode(audio, { buffer: makeNoise() })
  const filter = new BiquadFilterNode(audio, { type: 'bandpass', frequency: pitch, Q: 4 })
  noise.connect(filter).connect(makeFade(at, lasts, loud * 3, out))
  noise.start(at)
  noise.stop(at + lasts)
}

function makeFade(at, lasts, loud, out) {
  const gain = new GainNode(audio, { gain: 0 })
  gain.gain.setValueAtTime(loud, at)
  gain.gain.exponentialRampToValueAtTime(0.001, at + lasts)
  gain.connect(out)
  return gain
}

let noise

function makeNoise() {
  if (noise) return noise
  noise = new AudioBuffer({ length: audio.sampleRate / 5, sampleRate: audio.sampleRate })
  const wave = noise.getChannelData(0)
  for (let n = 0; n < wave.length; n++) wave[n] = Math.random() * 2 - 1
  return noise
}
