// The look changes with the choice; the cookie that the server sets keeps it for the next page.
document.addEventListener('change', ({ target }) => {
  if (['theme', 'motion', 'keys'].includes(target.name)) document.documentElement.dataset[target.name] = target.value
})
