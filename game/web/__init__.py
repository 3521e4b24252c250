"""How pages are rendered."""
