// The table view: nobody touches a television, so its screen is kept awake, even before the game begins.
const keepAwake = () => document.visibilityState === 'visible' && navigator.wakeLock?.request('screen').catch(() => {})
document.addEventListener('visibilitychange', keepAwake)
keepAwake()
