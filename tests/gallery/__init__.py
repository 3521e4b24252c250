"""Every state of the game page, each a real game."""
