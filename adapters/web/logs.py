"""Logs of a server: lines for people, or one line of JSON per event for machines.

A line of JSON has no name, token, address or words of a person, and no content of a request: a fault is described by
its route, its class and its places in the program. Requests are not logged at all.
"""

import json
import logging
import traceback
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

LOG = logging.getLogger("rollbook.web")
ROOT = Path(str(files("rollbook"))).parent
"""The folder that holds the package: in a source archive its parts lie beside it."""
PLACES = 12
"""Most places of a fault that are logged, the innermost ones."""

Value = str | int | float | bool


def note(level: int, event: str, said: str, /, fault: BaseException | None = None, **values: Value) -> None:
    """Log an event: ``said`` is for people; a line of JSON has ``event`` and ``values``, which name no person."""
    LOG.log(level, "%s", said, exc_info=fault, extra={"event": event, "values": values})


class JsonLines(logging.Formatter):
    """Formatter of records as lines of JSON. Of other packages it keeps the logger and the fault's class and places."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.casefold(),
            "event": getattr(record, "event", "remark"),
            **getattr(record, "values", {"logger": record.name}),
        }
        fault = record.exc_info[1] if record.exc_info else None
        if fault is not None:
            said |= {"fault": type(fault).__name__, "places": places(fault)}
        return json.dumps(said)


def places(fault: BaseException) -> list[str]:
    """The places of a fault, the innermost last: file, line and function, without any value."""
    frames = traceback.extract_tb(fault.__traceback__)[-PLACES:]
    return [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]


def _short(filename: str) -> str:
    path = Path(filename)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name


def log_as_json() -> None:
    """Send all logs to stderr as lines of JSON from now on."""
    lines = logging.StreamHandler()
    lines.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[lines], force=True)
    for shown in logging.getLogger("rollbook").handlers[:]:  # --debug would show what a line of JSON keeps back
        logging.getLogger("rollbook").removeHandler(shown)
    LOG.setLevel(logging.INFO)
