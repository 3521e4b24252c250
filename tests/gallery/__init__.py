"""Every state of the game page with values made by hand."""
