"""Log lines: one JSON object each where programs read them, one line of text each where people do."""

import json
import logging
from datetime import UTC, datetime

# What a line may say beside the message. Never an address or a form: both hold keys.
FIELDS = ("request_id", "method", "route", "status", "outcome", "ms")


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
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
