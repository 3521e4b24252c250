"""Which browser the tests use, and how it is started."""

import os
import shutil

# The shell is Chromium without its own windows: the same pages for a good third less work.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)

# Quiet on a closed network, and able to run as root in a container.
ARGUMENTS = [
    "--headless=new",
    "--font-render-hinting=none",  # else the shell alone fits letters to whole pixels, wider than a phone draws them
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",  # this and the next: a good fourth less work for a page
    "--renderer-process-limit=1",
    "--default-tile-width=1024",  # painted in few large pieces: a sixth less work while dice fall
    "--default-tile-height=1024",
    "--js-flags=--single-threaded",  # threads that compile and collect beside a page cost more than they save: a tenth
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
