"""A ruleset in words: its settings, its prose, examples, warnings, and what differs from another."""
