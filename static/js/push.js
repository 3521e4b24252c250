// Calls by the browser's push service, which come even if the page is closed. Loaded only with the switch for calls.
export const possible = 'PushManager' in window && 'serviceWorker' in navigator

const findSubscription = async () => (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()

async function postForm(button, values) {
  const body = new URLSearchParams({ csrfmiddlewaretoken: button.value, ...values })
  const { ok } = await fetch(button.dataset.url, { method: 'POST', body })
  return ok
}

export async function isCalled(button) {
  const { called } = await fetch(button.dataset.url).then(answer => answer.json()).catch(() => ({}))
  return Boolean(called && await findSubscription())
}

export async function call(button) {
  if (!possible) return false
  try {
    const { key } = await fetch(button.dataset.url).then(answer => answer.json())
    await navigator.serviceWorker.register('/sw.js')
    const { pushManager } = await navigator.serviceWorker.ready
    const options = { userVisibleOnly: true, applicationServerKey: key }
    const subscription = await pushManager.subscribe(options).catch(async () => { // the old subscription has another key
      await (await pushManager.getSubscription())?.unsubscribe()
      return pushManager.subscribe(options)
    })
    const { endpoint, keys } = subscription.toJSON()
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    return await postForm(button, { do: 'call', endpoint, ...keys, zone })
  } catch {
    return false // no push service, or no connection
  }
}

export const stop = button => postForm(button, { do: 'stop' }).catch(() => false)
