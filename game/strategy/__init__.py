"""The computer players, and what a move is worth. Of the project it imports only the rules and `whole_file`."""
