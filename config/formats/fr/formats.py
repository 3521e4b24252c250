"""Where French differs from Django's formats for it."""

THOUSAND_SEPARATOR = "\N{NARROW NO-BREAK SPACE}"  # as browsers and French printers write it
