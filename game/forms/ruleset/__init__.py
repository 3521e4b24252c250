"""The form of a ruleset, for the admin and for people at the table."""
