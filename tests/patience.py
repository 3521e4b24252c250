"""A busy machine is no reason to fail: how long something takes says nothing about what it shows."""

SECONDS = 60  # what does not come within so long does not come at all
