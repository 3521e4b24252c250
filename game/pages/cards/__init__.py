"""The card: the picture of a link where it is sent to somebody, 1200 × 630 pixels, with dice, names and numbers."""
