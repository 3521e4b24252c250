"""What each decision of a finished game cost."""
