// The table view: nobody touches a television, so its screen is kept awake, also while the game has not begun.
const keepAwake = () => document.visibilityState === 'visible' && navigator.wakeLock?.request('screen').catch(() => {})
document.addEventListener('visibilitychange', keepAwake)
keepAwake()
