"""The review of a finished game: what each decision cost."""
