"""The card: the picture that people see of a link sent to them, 1200 × 630 pixels, with dice, names and numbers."""
