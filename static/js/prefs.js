// The look changes as soon as it is chosen; the cookie that the server sets keeps the choice for the next page.
document.addEventListener('change', ({ target }) => {
  if (['theme', 'motion', 'keys'].includes(target.name)) document.documentElement.dataset[target.name] = target.value
})
