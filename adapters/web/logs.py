"""What a server says of itself: for people as lines, for machines as one line of JSON an event.

Nobody's name, token, address or words are in a line of JSON, and neither is what was asked for: a fault is said by the route it
happened on, its class and its places in the program. Requests are not logged at all.
"""

import json
import logging
import traceback
from datetime import UTC, datetime
from pathlib import Path

LOG = logging.getLogger("rollbook.web")
ROOT = Path(__file__).parents[3]
"""The folder that holds the package."""
PLACES = 12
"""So many of the innermost places of a fault are named."""

Value = str | int | float | bool


def note(level: int, event: str, said: str, /, fault: BaseException | None = None, **values: Value) -> None:
    """Log an event: ``said`` is for people; a line of JSON has ``event`` and ``values``, which name nobody."""
    LOG.log(level, "%s", said, exc_info=fault, extra={"event": event, "values": values})


class JsonLines(logging.Formatter):
    """Each record as one line of JSON. Of what other programs log, only who logged it and the class of its fault are kept."""

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
    """Where a fault happened, the innermost place last: file, line and function, without any value."""
    frames = traceback.extract_tb(fault.__traceback__)[-PLACES:]
    return [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]


def _short(filename: str) -> str:
    path = Path(filename)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name


def log_as_json() -> None:
    """From now on everything that is logged goes to stderr as lines of JSON."""
    lines = logging.StreamHandler()
    lines.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[lines], force=True)
    for shown in logging.getLogger("rollbook").handlers[:]:  # --debug would show what a line of JSON keeps back
        logging.getLogger("rollbook").removeHandler(shown)
    LOG.setLevel(logging.INFO)
