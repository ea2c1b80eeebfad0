"""``rollbook --debug``: rollbook's log on stderr, with the traceback behind a sentence.

A traceback names places in programs and what exceptions say, no values of variables. What libpq says, addresses, keys and seat
links are left out: a log is copied into reports.
"""

import logging
import os
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from rollbook.adapters.cli.terminal import echo
from rollbook.application.ports.store_address import UNREADABLE

LOG = logging.getLogger("rollbook")
SECRET_VARIABLES = ("ROLLBOOK_SEED_KEY", "PGPASSWORD")
"""Variables whose values are never shown."""
LEFT_OUT = "…"
SECRETS = {r"postgres(?:ql)?://[^\s]+": UNREADABLE, r"/join/[\w-]+": f"/join/{LEFT_OUT}"}
"""Patterns of texts that are never shown, and their replacements."""


@contextmanager
def debug_log() -> Iterator[None]:
    """Show what rollbook logs inside; once, if it is shown already."""
    if any(isinstance(handler, _Shown) for handler in LOG.handlers):
        yield
        return
    shown, level = _Shown(), LOG.level
    LOG.addHandler(shown)
    LOG.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        LOG.removeHandler(shown)
        LOG.setLevel(level)


class _Shown(logging.Handler):
    """Handler that shows records on stderr, safe for a terminal. A failure logged again on its way up is shown once."""

    def __init__(self) -> None:
        super().__init__()
        self._known: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        failures = chain(record.exc_info[1] if record.exc_info else None)
        if not any(failure is known for failure in failures for known in self._known):
            self._known += failures
            echo(f"{record.name}: {without_secrets(_in_full(record), failures)}", err=True)


def chain(fault: BaseException | None) -> list[BaseException]:
    """A failure and those it followed from."""
    found: list[BaseException] = []
    while fault is not None and fault not in found:
        found.append(fault)
        fault = fault.__cause__ or fault.__context__
    return found


def _in_full(record: logging.LogRecord) -> str:
    fault = record.exc_info[1] if record.exc_info else None
    lines = traceback.format_exception(fault) if fault is not None else []
    return f"{record.getMessage()}\n{''.join(lines)}".rstrip("\n")


def without_secrets(text: str, failures: list[BaseException]) -> str:
    """A text without passwords, keys and links. What libpq said in a failure may hold a part of a password anywhere."""
    said = [str(failure) for failure in failures if type(failure).__module__.partition(".")[0].startswith("psycopg")]
    for secret in (*said, *(os.environ.get(name, "") for name in SECRET_VARIABLES)):
        text = text.replace(secret, LEFT_OUT) if secret else text
    for secret, instead in SECRETS.items():
        text = re.sub(secret, instead, text)
    return text
