"""Reviews as pages: from what is stored to values for the templates."""
