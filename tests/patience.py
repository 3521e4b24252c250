"""How long tests wait: a busy machine is no reason to fail, so they wait far longer than anything should take."""

SECONDS = 60  # what has not come by then does not come at all
