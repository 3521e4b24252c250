"""The drawing of a link that a phone can scan."""

from __future__ import annotations

import io
from functools import lru_cache

import segno


@lru_cache(maxsize=1000)  # a link never changes, and its drawing takes longer than the rest of the panel
def draw_qr(link: str) -> str:
    """Return the SVG markup of a link, to be placed in a page as it is."""
    drawing = io.BytesIO()
    segno.make_qr(link, error="m").save(
        drawing, kind="svg", xmldecl=False, svgns=False, border=2, omitsize=True, svgclass="qr", lineclass=None
    )
    return drawing.getvalue().decode()
