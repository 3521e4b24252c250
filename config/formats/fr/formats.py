"""How French differs from what Django has for it."""

THOUSAND_SEPARATOR = "\N{NARROW NO-BREAK SPACE}"  # as browsers write it, and French printers
