"""What the QR code of a new game's link costs: `python -m tests.benchmarks.qr_codes`.

Compares the code as pages draw it with one for which all masks are tried, as the standard wants.
"""

import os
import secrets
import tempfile
import time

import segno

LINKS = 200


def time_codes(links: list[str], mask: int | None) -> float:
    """Return the CPU milliseconds for each code."""
    began = time.process_time()
    for link in links:
        segno.make_qr(link, error="m", mask=mask)
    return 1000 * (time.process_time() - began) / len(links)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="ten-thousand-") as folder:
        os.environ |= {"DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        import django

        django.setup()
        from game.web.jinja import QR_MASK

        links = [f"https://ten-thousand.example/j/{secrets.token_urlsafe(16)}" for _link in range(LINKS)]
        tried, drawn = time_codes(links, None), time_codes(links, QR_MASK)
        print(f"all masks tried {tried:.2f} ms, as pages draw it {drawn:.2f} ms, ratio {tried / drawn:.1f}")


if __name__ == "__main__":
    main()
