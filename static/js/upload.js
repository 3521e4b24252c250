// Says that a chosen file is too large before it is sent: what had been filled in beside it would be lost.
for (const field of document.querySelectorAll('input[data-most]')) {
  field.onchange = () => {
    const isTooLarge = field.files[0]?.size > +field.dataset.most
    field.setCustomValidity(isTooLarge ? field.dataset.tooLarge : '')
    field.reportValidity()
  }
}
