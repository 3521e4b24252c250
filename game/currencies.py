"""How amounts of a currency are written."""


def count_decimals(currency: str) -> int:
    """Return how many decimals a currency (ISO 4217) is written with: 0 for JPY, 3 for KWD, 2 for an unknown one."""
    # Imported here because it takes memory, and most games have no pot.
    from babel.numbers import get_currency_precision

    return get_currency_precision(currency)
