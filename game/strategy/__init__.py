"""The computer players, and what a move is worth. Imports nothing of the project but the rules."""
