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
    # A page that leads elsewhere keeps its frame: a twentieth less work. With a new frame for each document, Chromium
    # also forgets to close pages: https://github.com/microsoft/playwright/issues/42068. The other features are those of
    # Playwright's own list that matter here, because this list takes its place.
    "--disable-features=RenderDocument,AvoidUnnecessaryBeforeUnloadCheckSync,PaintHolding,ThirdPartyStoragePartitioning",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
