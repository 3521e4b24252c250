// A note about what was done, or came too late, is shown once: loading the page again shows it no more.
const address = new URL(location)
for (const note of ['done', 'late']) address.searchParams.delete(note)
history.replaceState(history.state, '', address)
