"""Log lines: a JSON object each for programs, or a line of text each for people."""

import json
import logging
from datetime import UTC, datetime

# The fields of a line besides the message. Never a URL or a form, because both contain keys.
FIELDS = ("request_id", "method", "route", "status", "outcome", "ms")


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as JSON, with its traceback if it has one."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name in FIELDS if (value := getattr(record, name, None)) not in (None, "-")}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)
