// Takes back a chosen file that is too large, and says so: once it is sent, what was filled in beside it is lost.
for (const field of document.querySelectorAll('input[data-most]')) {
  field.onchange = () => {
    const isTooLarge = field.files[0]?.size > +field.dataset.most
    if (isTooLarge) field.value = '' // a form without validation would send it
    field.setCustomValidity(isTooLarge ? field.dataset.tooLarge : '')
    field.reportValidity()
  }
}
