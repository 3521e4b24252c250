"""What several pages share: components, sentences, and the view of a game."""
