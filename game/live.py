"""Tells open pages that a game has moved on."""

from __future__ import annotations


def notify(code: str, version: int) -> None:
    """Called after the commit of every change of a game, from any thread."""
