"""What the templates show: values made from a game, its viewer and their preferences. No request, no write."""
