"""The browser that the tests use, and the arguments that it is started with."""

import os
import shutil

# The headless shell is Chromium without its own windows: the same pages for over a third less work.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)

# Quiet on a closed network, and able to run as root in a container.
ARGUMENTS = [
    "--headless=new",
    "--font-render-hinting=none",  # else the shell alone fits letters to whole pixels, wider than a phone draws them
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",  # with the next one: over a quarter less work for a page
    "--renderer-process-limit=1",
    "--default-tile-width=1024",  # painted in few large pieces: a sixth less work while dice fall
    "--default-tile-height=1024",
    "--js-flags=--single-threaded",  # a tenth less work: compiling and collecting in threads costs more than it saves
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
