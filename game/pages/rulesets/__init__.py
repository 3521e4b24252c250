"""A ruleset in words: settings, prose, examples, warnings, and how it differs from another."""
