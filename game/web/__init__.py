"""What templates can call and how they are compiled, and what a browser remembers in cookies."""
