"""All settings. Everything works with nothing set; production sets the environment variables of docs/settings.md."""

import os
import re
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from game.kept_secret import keep_secret

ROOT = Path(__file__).resolve().parent.parent


def read_words(name: str) -> list[str]:
    """Return the words of an environment variable, split at commas."""
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


def read_switch(name: str) -> bool:
    """Return whether a variable is on. Raises `ImproperlyConfigured` for anything else, as the readers below do."""
    value = os.environ.get(name, "off").strip().lower()
    if value in ("1", "on", "true", "yes"):
        return True
    if value in ("", "0", "off", "false", "no"):
        return False
    raise ImproperlyConfigured(f"{name} is a switch (on or off), not {value!r}.")


def read_number(name: str, default: int, low: int, high: int) -> int:
    """Return a whole number from `low` to `high`, or `default` if the variable is not set."""
    value = os.environ.get(name, "").strip() or str(default)
    if not (value.isascii() and value.isdigit() and low <= int(value) <= high):
        raise ImproperlyConfigured(f"{name} is a whole number from {low} to {high}, not {value!r}.")
    return int(value)


def read_networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Return networks, each given by its address and the length of its prefix."""
    try:
        return [ip_network(word) for word in read_words(name)]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} are networks, as in 192.168.1.0/24, or addresses: {error}.") from error


# ---- Where things are -------------------------------------------------------------------------------------------

DATA_DIR = Path(os.environ.get("DATA_DIR") or ROOT / ".data").resolve()
try:
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)  # the database in it is open to all
except OSError as error:
    raise ImproperlyConfigured(f"DATA_DIR cannot be made: {DATA_DIR}: {error.strerror}.") from error


def read_secret_key() -> str:
    """Return the key from the environment, or else the one kept in `DATA_DIR`."""
    try:
        return os.environ.get("SECRET_KEY") or keep_secret(DATA_DIR / "secret-key", get_random_secret_key)
    except OSError as error:
        advice = " Run this as the user of the site." if isinstance(error, PermissionError) else ""
        reason = error.strerror or error
        raise ImproperlyConfigured(f"DATA_DIR cannot be used: {DATA_DIR}: {reason}.{advice}") from error


# ---- Who may reach it -------------------------------------------------------------------------------------------

DEBUG = read_switch("DEBUG")
HTTPS = read_switch("HTTPS")
SECRET_KEY = read_secret_key()
ALLOWED_HOSTS = read_words("ALLOWED_HOSTS") or ["localhost", "127.0.0.1", "[::1]"]
# Proxies whose X-Forwarded-* headers are trusted; none by default.
TRUSTED_PROXIES = [str(network) for network in read_networks("TRUSTED_PROXIES")]
ADMIN_PATH = (os.environ.get("ADMIN_PATH", "").strip("/") or "admin") + "/"
# With what the addresses of the site begin: behind an admin of that name there would be no way to them.
SITE_PATHS = frozenset({
    "account", "again", "c", "card.png", "crew", "crews", "fair", "favicon.ico", "g", "games", "healthz", "help", "j",
    "join", "language", "live", "mail", "manifest.webmanifest", "names", "new", "odds", "oembed", "offline", "practice",
    "prefs", "privacy", "quick", "robots.txt", "rules", "sheet", "sitemap.xml", "static", "sw.js",
})  # fmt: skip

if len(SECRET_KEY) < 50:  # what `check --deploy` asks for
    if os.environ.get("SECRET_KEY"):
        raise ImproperlyConfigured("SECRET_KEY is too short: 50 characters or more.")
    raise ImproperlyConfigured(f"{DATA_DIR / 'secret-key'} is damaged. Delete it: the site then makes a new one.")
if re.match("[a-z]{2}(-[a-z]{2,4})?/", ADMIN_PATH):
    raise ImproperlyConfigured(f"ADMIN_PATH cannot begin with the letters of a language, as {ADMIN_PATH!r} does.")
if ADMIN_PATH.partition("/")[0] in SITE_PATHS:
    raise ImproperlyConfigured(
        f"ADMIN_PATH cannot begin as pages of the site do, as {ADMIN_PATH!r} does. "
        "Choose another word, such as 'admin'."
    )
if not re.fullmatch(r"([\w~-][\w.~-]*/)+", ADMIN_PATH):
    raise ImproperlyConfigured(f"ADMIN_PATH has letters, digits, hyphens and slashes, unlike {ADMIN_PATH!r}.")
if "*" in ALLOWED_HOSTS:
    raise ImproperlyConfigured("ALLOWED_HOSTS names the hosts of this site; * would be everybody's.")
for host in ALLOWED_HOSTS:
    if not re.fullmatch(r"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]", host, re.ASCII | re.IGNORECASE):
        raise ImproperlyConfigured(
            f"ALLOWED_HOSTS are names such as dice.example, without https:// and port, not {host!r}."
        )
if HTTPS and not (read_words("ALLOWED_HOSTS") and TRUSTED_PROXIES):
    raise ImproperlyConfigured("HTTPS needs ALLOWED_HOSTS and TRUSTED_PROXIES: a proxy in front holds the certificate.")

# ---- The application --------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "game.serving.static_files.StaticFiles",
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
    "game",
]
MIDDLEWARE = [
    "game.serving.middleware.HeadersMiddleware",
    "game.serving.health.ReadyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Makes pages four times smaller. No token leaks: lengths are padded at random, and tokens change on every page.
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "game.serving.languages.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "game.identity.VisitorMiddleware",
    "game.serving.rate_limits.RateLimitMiddleware",
    "game.serving.middleware.BusyMiddleware",
    "game.serving.middleware.GuardMiddleware",
    "game.serving.middleware.SnapshotMiddleware",
]
ROOT_URLCONF = "config.urls"
TEMPLATES = [
    {
        # The pages of the site.
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [ROOT / "templates"],
        "OPTIONS": {
            "environment": "game.web.jinja.environment",
            "context_processors": [
                "django.template.context_processors.csrf",  # one token for all forms of a page
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "game.views.context.add_prefs",
            ],
        },
    },
    {
        # The admin and the mails.
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates" / "django"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    },
]

# ---- Rows -------------------------------------------------------------------------------------------------------

SQLITE = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": DATA_DIR / "game.sqlite3",
    "OPTIONS": {
        "timeout": 5,
        "transaction_mode": "IMMEDIATE",  # a reader that becomes a writer fails at once otherwise
        "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;",  # an answered throw survives a power cut
    },
}
POSTGRESQL_LIMITS = "-c lock_timeout=3s -c statement_timeout=5s -c default_transaction_isolation=read\\ committed"


def read_database() -> dict[str, object]:
    """Return the database that DATABASE_URL names, else SQLite. Raises `ImproperlyConfigured` for any other."""
    if not os.environ.get("DATABASE_URL"):
        return SQLITE
    try:
        settings = dj_database_url.config(conn_health_checks=True)
    except ValueError:  # also raised if the port is not a number
        settings = {}
    named = settings.get("NAME") or settings.get("OPTIONS", {}).get("service")
    if settings.get("ENGINE") != "django.db.backends.postgresql" or not named:
        raise ImproperlyConfigured(
            "DATABASE_URL names a PostgreSQL database, as postgresql://user:password@host:5432/name does, with # in a "
            "password as %23; without it the site uses SQLite."
        )
    options = settings.get("OPTIONS", {})
    limits = f"{POSTGRESQL_LIMITS} {options.get('options', '')}".strip()  # the address's options come last, and win
    return {**settings, "OPTIONS": {**options, "options": limits}}


WRITE_LOCK_FILE = DATA_DIR / "write.lock"  # one writer at a time on SQLite, which does not queue writers fairly
WORKER_LOCK_FILE = DATA_DIR / "worker.lock"  # one worker at a time on SQLite
SET_UP_LOCK_FILE = DATA_DIR / "set-up.lock"  # held while the site is set up from here
SITE_LOCK_FILE = DATA_DIR / "site.lock"  # held while a site is served from here
PICTURES_DIR = DATA_DIR / "pictures"  # link previews, drawn once; it may be emptied at any time
TABLES_DIR = DATA_DIR / "tables"  # chances to win, unpacked once; it may be emptied at any time
TEMPLATES_DIR = DATA_DIR / "templates"  # compiled templates; it may be emptied at any time
PICTURES_LIMIT = 32 * 1024 * 1024

# A connection lasts as long as its page thread (game/serving/page_threads.py), and that lasts as long as its process.
DATABASES = {"default": {**read_database(), "CONN_MAX_AGE": None}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# ---- Work in the background --------------------------------------------------------------------------------------

# Jobs of several minutes have a queue of their own, so that no review waits behind them.
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["default", "slow", "long"]}}

# ---- Words ------------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("nl", "Nederlands"), ("sv", "Svenska")]
UNFINISHED_LANGUAGES: set[str] = set()  # shown only with DEBUG on, for translators
if not DEBUG:
    LANGUAGES = [(code, name) for code, name in LANGUAGES if code not in UNFINISHED_LANGUAGES]
FORMAT_MODULE_PATH = ["config.formats"]
LOCALE_PATHS = [ROOT / "game" / "locale"]
TIME_ZONE = "UTC"

# ---- Accounts ---------------------------------------------------------------------------------------------------

LOGIN_URL = "game:sign-in"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"game.forms.account.{name}"} for name in ("SimilarityValidator", "LengthValidator", "CommonnessValidator")
]
# Without a mail server nobody is asked for an address, and only the operator can reset a forgotten password.
EMAIL_HOST = os.environ.get("EMAIL_HOST", "").strip()
EMAIL_PORT = read_number("EMAIL_PORT", 587, 1, 65535)
EMAIL_HOST_USER = os.environ.get("EMAIL_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_PASSWORD", "")
EMAIL_USE_TLS = EMAIL_PORT == 587
EMAIL_USE_SSL = EMAIL_PORT == 465
EMAIL_TIMEOUT = 10
EMAIL_BACKEND = "game.serving.mail.LoggedBackend"
sender = (os.environ.get("EMAIL_FROM") or EMAIL_HOST_USER).strip()
DEFAULT_FROM_EMAIL = sender or "webmaster@localhost"

if EMAIL_HOST and not re.fullmatch(r"[\w.-]+|[0-9a-f:]+", EMAIL_HOST, re.ASCII | re.IGNORECASE):
    raise ImproperlyConfigured(f"EMAIL_HOST is a name such as mail.example, without port, not {EMAIL_HOST!r}.")
if EMAIL_HOST and not re.fullmatch(r"([^<>]*<)?[^\s@<>]+@[\w.:\[\]-]+(?(1)>)", sender):
    raise ImproperlyConfigured("EMAIL_HOST needs EMAIL_FROM, the address of the sender, as in games@dice.example.")

# ---- Calls: telling players with the page closed that it is their turn -------------------------------------------

PUSH_KEY = os.environ.get("PUSH_KEY", "")  # the content of PUSH_KEY_FILE, for machines that do not share a folder
PUSH_KEY_FILE = DATA_DIR / "push-key"
PUSH_NETWORKS = read_networks("PUSH_NETWORKS")  # the only private networks where a push service may be


def find_push_key() -> str | None:
    """Return the key pair that is used, from the environment or `PUSH_KEY_FILE`; None before one has been made."""
    try:
        return PUSH_KEY or PUSH_KEY_FILE.read_text(encoding="ascii", errors="ignore").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ImproperlyConfigured(f"{PUSH_KEY_FILE} cannot be read: {error.strerror}.") from error


if (pair := find_push_key()) is not None and not re.fullmatch(r"[\w-]{43}\.[\w-]{87}", pair, re.ASCII):
    if PUSH_KEY:
        raise ImproperlyConfigured(
            "PUSH_KEY is what a site keeps in push-key: two numbers with a full stop between them."
        )
    raise ImproperlyConfigured(
        f"{PUSH_KEY_FILE} is damaged. Take it from a backup, or delete it: then players have to switch calls on again."
    )

# ---- Files ------------------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [ROOT / "static"]
WHITENOISE_KEEP_ONLY_HASHED_FILES = True  # one address per file, whose content never changes
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# ---- Cookies and headers (those of every answer are in game/serving/headers.py) -----------------------------------

COOKIE_PREFIX = "__Host-" if HTTPS else ""  # a neighbouring subdomain cannot set such a cookie
VISITOR_COOKIE_NAME = f"{COOKIE_PREFIX}visitor"
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}session"
SESSION_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}language"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrf"
CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True  # pages carry the token themselves, so no script needs to read it
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"  # needs no cookie of its own
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"  # no-referrer would send "Origin: null" with every form
SILENCED_SYSTEM_CHECKS = [
    "security.W002",  # X-Frame-Options is among the headers of every answer
    "security.W005",  # whether the domain's other hosts use https is not ours to decide
    "security.W021",  # nor is whether browsers preload it
]

# ---- Limits -----------------------------------------------------------------------------------------------------

# How often one visitor may ask, as (times, seconds); one address may ask 20 times as often. For signing in, a name at
# an address counts instead of a visitor.
RATES = {
    "page": (300, 60),
    "move": (20, 10),
    "step": (200, 10),
    "share": (60, 10),  # a page shares a choice at most every 150 ms
    "react": (6, 12),  # a page sends at most one every two seconds
    "new": (10, 60),
    "load": (10, 60),
    "picture": (30, 60),
    "try": (60, 60),
    "link": (10, 60),
    "login": (5, 900),
    "account": (10, 900),  # each takes half a second, to make the password hard to guess
    "mail": (5, 3600),
    "restore": (3, 60),
    # Wrong words for an invite, by one address and by everybody together. A guesser gets nowhere in the week that an
    # invite lives, while a typing mistake costs nothing.
    "guess": (10, 3600),
    "guesses": (300, 3600),  # out of 2^30: high enough that a handful of addresses cannot lock everybody out
}


def read_limits() -> dict[str, tuple[int, int]]:
    """Return the limit for each kind of request; "move=30/10" changes one, "off" leaves all out."""
    words = read_words("LIMITS")
    if words == ["off"]:
        return {}
    limits = dict(RATES)
    for word in words:
        match = re.fullmatch(r"([a-z]+)=([1-9][0-9]{0,5})/([1-9][0-9]{0,5})", word)
        if not match or match[1] not in RATES:
            raise ImproperlyConfigured(f"LIMITS is off, or any of {', '.join(RATES)} as in page=600/60, not {word!r}.")
        limits[match[1]] = (int(match[2]), int(match[3]))
    return limits


LIMITS = read_limits()
PAGE_THREADS = read_number("PAGE_THREADS", 4, 1, 64)
# How many live pages one process serves at a time; any others poll every few seconds. A visitor may have fewer than
# the number of connections that a browser opens to one host; otherwise its next page would wait for ever.
STREAMS = read_number("STREAMS", 5000, 0, 100_000)
STREAMS_PER_ADDRESS = read_number("STREAMS_PER_ADDRESS", 1000, 1, 100_000)
STREAMS_PER_VISITOR = read_number("STREAMS_PER_VISITOR", 4, 1, 100_000)
BODY_LIMIT = 64 * 1024
# A game file of 256 KiB, or an archive of 4 MiB, and the form round it.
BODY_LIMITS = {"/games/import": 260 * 1024, "/games/archive": 4100 * 1024}
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = max(BODY_LIMIT, *BODY_LIMITS.values())
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]  # never to disk

# ---- Log lines --------------------------------------------------------------------------------------------------

LOG = os.environ.get("LOG", "").strip().lower() or ("json" if HTTPS or os.environ.get("DATABASE_URL") else "text")
if LOG not in ("json", "text"):
    raise ImproperlyConfigured(f"LOG is one of json, text, not {LOG!r}.")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"tidy": {"()": "game.serving.middleware.TidyRecord"}},
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name} [{request_id}] {message}", "style": "{"},
        "json": {"()": "game.serving.logs.JsonLines"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "filters": ["tidy"], "formatter": LOG}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        "django.request": {"level": "ERROR"},  # a 404 is not worth a line, and its path may contain somebody's key
        "django.contrib.auth": {"level": "CRITICAL"},  # a mail that failed, which LoggedBackend has logged
        "django.security": {"level": "CRITICAL"},  # a malformed request is not our problem
        "django_tasks": {"level": "WARNING"},
        "django_tasks_db": {"level": "ERROR"},
        "game": {"level": "INFO" if LOG == "json" else "WARNING"},  # INFO: a line for every answer
        "uvicorn": {"level": "ERROR"},
    },
}
