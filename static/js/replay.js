// The replay: keys, play and pause, and steps fetched before they are asked for. Without it, plain links lead on.
'use strict'
{
  const PACE = 1200 // milliseconds a step while it plays
  const REST = 65 // milliseconds that a pointer rests on a link before its step is fetched
  const replay = $('main.replay')
  const findLink = id => $('#' + id, replay)
  const isDisabled = at => at?.getAttribute('aria-disabled') === 'true'

  // ---- steps, one after the other: a key or a tap that is faster than the answers is not lost

  let busy = !$('[data-htmx-powered]', replay) // until htmx has processed the links, a press would load a whole page
  let waiting = []
  const underWay = new Set() // htmx's requests: after a key, a press or Back

  function pressSoon(control) {
    if (control.matches('[hx-get]')) {
      waiting.push(control.id)
      pressNext()
    } else if (!isDisabled(control)) control.click()
  }

  function pressNext() {
    while (!busy && waiting.length) {
      const control = findLink(waiting.shift())
      if (!control || isDisabled(control)) continue // in the page as it is now: when it was pressed, earlier steps had no answer yet
      busy = true
      control.click()
    }
  }

  function endRequest() {
    if (underWay.size) return
    busy = false
    pressNext()
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
    showControls()
    setTimeout(endRequest) // only after this event does htmx let the link send again
  })
  if (busy) document.addEventListener('htmx:after:process', endRequest, { once: true })

  // ---- keys: each is declared on its link

  document.addEventListener('keydown', event => {
    const { key, target } = event
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing || root.dataset.keys === 'off') return
    if (typing(target) || target.closest('.scroll, .menu') || (key === ' ' && target.closest('a, button, summary'))) return
    const name = (event.shiftKey ? 'Shift+' : '') + (key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key)
    const control = $$('[aria-keyshortcuts]', replay).find(e => e.getAttribute('aria-keyshortcuts').split(' ').includes(name))
    if (!control || control.closest('[hidden]')) return
    event.preventDefault()
    if (playing && control.id !== 'play') setPlaying(false)
    pressSoon(control)
  })

  // ---- play and pause

  let playing = false
  let timer

  function setPlaying(on) {
    playing = on
    clearTimeout(timer)
    showControls()
  }

  function playStep() {
    if (!playing) return
    if (isDisabled(findLink('next'))) setPlaying(false)
    else pressSoon(findLink('next'))
  }

  function showControls() {
    const button = findLink('play')
    if (!button) return
    button.hidden = false
    button.setAttribute('aria-pressed', playing)
    clearTimeout(timer)
    const at = playing ? findLink('next') : document.activeElement.closest('a[hx-get]')
    if (at) preloadStep(at)
    if (playing) timer = setTimeout(playStep, PACE)
    const now = $('#turns .now')
    const list = now?.parentNode
    if (now) list.scrollTop = Math.min(now.offsetTop, Math.max(list.scrollTop, now.offsetTop + now.offsetHeight - list.clientHeight))
  }

  document.addEventListener('click', event => {
    const step = event.target.closest('#steps a[hx-get]')
    if (event.target.closest('#play')) {
      setPlaying(!playing)
      if (playing && isDisabled(findLink('next'))) findLink('first').click()
    } else if (event.isTrusted && playing && event.target.closest('a')) setPlaying(false)
    const waits = event.isTrusted && busy && step && !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (waits) pressSoon(step)
    if (waits || isDisabled(event.target.closest('#steps a'))) {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
  }, true)

  // ---- the step that is likely to be asked for next is fetched in advance

  const kept = new Map()
  let resting

  function preloadStep(at) {
    const url = at.getAttribute('hx-get')
    if (isDisabled(at) || kept.has(url)) return
    const fetched = fetch(url, { headers: { 'HX-Request': 'true' } })
    kept.set(url, fetched)
    fetched.catch(() => kept.delete(url)) // if it is pressed meanwhile, htmx reports the error
  }

  replay.addEventListener('pointerover', event => {
    const at = event.target.closest('a[hx-get]')
    clearTimeout(resting)
    if (at) resting = setTimeout(preloadStep, REST, at)
  })
  replay.addEventListener('focusin', event => event.target.matches('a[hx-get]') && preloadStep(event.target))

  // ---- Back and Forward fetch the step as a link does

  document.addEventListener('htmx:before:history:restore', event => {
    event.preventDefault()
    waiting = []
    setPlaying(false)
    htmx.ajax('GET', event.detail.path, { source: '#position', target: '#live', swap: 'none' })
  })

  showControls()
}
