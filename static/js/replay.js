// The replay: keys, play and pause, and steps fetched before they are asked for. Without it, plain links lead on.
'use strict'
{
  const PACE = 1200 // milliseconds a step while it plays
  const REST = 65 // milliseconds that a pointer rests on a link before its step is fetched
  const replay = $('main.replay')
  const link = id => $('#' + id, replay)
  const stuck = at => at?.getAttribute('aria-disabled') === 'true'

  // ---- steps, one after the other: a key or a tap that is faster than the answers is not lost

  let busy = !$('[data-htmx-powered]', replay) // until htmx has processed the links, a press would load a whole page
  let waiting = []
  const underWay = new Set() // htmx's requests: after a key, a press or Back

  function go(control) {
    if (control.matches('[hx-get]')) {
      waiting.push(control.id)
      goOn()
    } else if (!stuck(control)) control.click()
  }

  function goOn() {
    while (!busy && waiting.length) {
      const control = link(waiting.shift())
      if (!control || stuck(control)) continue // in the page as it is now: when it was pressed, earlier steps had no answer yet
      busy = true
      control.click()
    }
  }

  function free() {
    if (underWay.size) return
    busy = false
    goOn()
  }

  document.addEventListener('htmx:before:request', ({ detail: { ctx } }) => {
    busy = true
    underWay.add(ctx)
    const fetched = kept.get(ctx.request.action)
    if (fetched) ctx.fetch = () => fetched
  })

  document.addEventListener('htmx:finally:request', ({ detail: { ctx } }) => {
    underWay.delete(ctx)
    kept.clear()
    shown()
    setTimeout(free) // only after this event does htmx let the link send again
  })
  if (busy) document.addEventListener('htmx:after:process', free, { once: true })

  // ---- keys: each is declared on its link

  document.addEventListener('keydown', event => {
    const { key, target } = event
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing || root.dataset.keys === 'off') return
    if (typing(target) || target.closest('.scroll, .menu') || (key === ' ' && target.closest('a, button, summary'))) return
    const name = (event.shiftKey ? 'Shift+' : '') + (key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key)
    const control = $$('[aria-keyshortcuts]', replay).find(e => e.getAttribute('aria-keyshortcuts').split(' ').includes(name))
    if (!control || control.closest('[hidden]')) return
    event.preventDefault()
    if (playing && control.id !== 'play') play(false)
    go(control)
  })

  // ---- play and pause

  let playing = false
  let timer

  function play(on) {
    playing = on
    clearTimeout(timer)
    shown()
  }

  function onward() {
    if (!playing) return
    if (stuck(link('next'))) play(false)
    else go(link('next'))
  }

  function shown() {
    const button = link('play')
    if (!button) return
    button.hidden = false
    button.setAttribute('aria-pressed', playing)
    clearTimeout(timer)
    const at = playing ? link('next') : document.activeElement.closest('a[hx-get]')
    if (at) preload(at)
    if (playing) timer = setTimeout(onward, PACE)
    const now = $('#turns .now')
    const list = now?.parentNode
    if (now) list.scrollTop = Math.min(now.offsetTop, Math.max(list.scrollTop, now.offsetTop + now.offsetHeight - list.clientHeight))
  }

  document.addEventListener('click', event => {
    const step = event.target.closest('#steps a[hx-get]')
    if (event.target.closest('#play')) {
      play(!playing)
      if (playing && stuck(link('next'))) link('first').click()
    } else if (event.isTrusted && playing && event.target.closest('a')) play(false)
    const waits = event.isTrusted && busy && step && !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (waits) go(step)
    if (waits || stuck(event.target.closest('#steps a'))) {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
  }, true)

  // ---- the step that is likely to be asked for next is fetched in advance

  const kept = new Map()
  let resting

  function preload(at) {
    const url = at.getAttribute('hx-get')
    if (stuck(at) || kept.has(url)) return
    const fetched = fetch(url, { headers: { 'HX-Request': 'true' } })
    kept.set(url, fetched)
    fetched.catch(() => kept.delete(url)) // if it is pressed meanwhile, htmx reports the error
  }

  replay.addEventListener('pointerover', event => {
    const at = event.target.closest('a[hx-get]')
    clearTimeout(resting)
    if (at) resting = setTimeout(preload, REST, at)
  })
  replay.addEventListener('focusin', event => event.target.matches('a[hx-get]') && preload(event.target))

  // ---- Back and Forward fetch the step as a link does

  document.addEventListener('htmx:before:history:restore', event => {
    event.preventDefault()
    waiting = []
    play(false)
    htmx.ajax('GET', event.detail.path, { source: '#position', target: '#live', swap: 'none' })
  })

  shown()
}
