"""Who plays when nobody does, and what a move is worth. Imports the rules, nothing else."""
