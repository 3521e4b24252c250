"""A stored game, throw by throw."""
