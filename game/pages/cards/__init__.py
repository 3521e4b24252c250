"""The picture that stands for a link where it is sent to somebody: 1200 × 630, dice, names and numbers."""
