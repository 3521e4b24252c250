"""The game page, one module per region."""
