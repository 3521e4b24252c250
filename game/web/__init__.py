"""The rendering of pages."""
