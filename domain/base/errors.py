"""Errors of the engine, in the words the table would use.

Every message is one sentence (or two) that says what was asked, what is the case and what would work. An error has a
class of its own only where a caller acts on the difference, and carries what the caller needs for it (``parameter``):
no caller parses a message, except to show its verbs and options as its surface does (``base.lines_in_words``). The
failure behind a sentence is logged at the level DEBUG on the loggers of ``rollbook``; ``rollbook --debug`` or a handler
of your own shows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from rollbook.domain.base.synonyms import meant_by

VERB = "verb"
"""The kind of thing that is looked for by its sense as well."""


class RollbookError(Exception):
    """Something was asked that cannot be done; the history is as it was.

    ``is_open`` says that nothing was looked at but what the asker may see, so that the message says nothing of what is hidden.
    ``parameter`` is the name of the verb's parameter whose value is at fault, "" where no single one is; ``instead`` is that of
    another one that would put it right as well.
    """

    is_open = False
    parameter = ""
    instead = ""

    def about(self, parameter: str) -> Self:
        """The same error, about this parameter unless it names one already."""
        self.parameter = self.parameter or parameter
        return self


class Refused(RollbookError):
    """The rules say no. Nothing was recorded."""

    def __init__(self, message: str = "", *, parameter: str = "", instead: str = "") -> None:
        super().__init__(message)
        self.parameter = parameter
        self.instead = instead


class NotFound(RollbookError):
    """A campaign, character, verb or thing of that name does not exist; ``near`` holds the names most like it.

    ``sought`` is the name that was looked for, "" where it is not known.
    """

    def __init__(self, message: str, near: tuple[str, ...] = (), *, is_open: bool = False, sought: str = "") -> None:
        super().__init__(message)
        self.near = near
        self.is_open = is_open
        self.sought = sought


class RulesetMissing(RollbookError):
    """The campaign's ruleset ``key`` is not installed. Its history is intact and opens read-only.

    ``version`` is the one that the campaign was last played with, ``package`` the distribution that brought it ("": unknown).
    """

    def __init__(self, message: str, *, key: str = "", version: str = "", package: str = "") -> None:
        super().__init__(message)
        self.key = key
        self.version = version
        self.package = package


class RulesetBroken(RollbookError):
    """A plug-in breaks the contract; the message names the distribution, the object and the fault.

    ``key`` is that of the ruleset, "" where a file of its data is at fault before the ruleset is there.
    """

    def __init__(self, message: str, *, key: str = "") -> None:
        super().__init__(message)
        self.key = key


class StaleHistory(RollbookError):
    """The campaign has moved on: another writer was first, or a preview was made on an older head."""


class StoreAway(RollbookError):
    """The store cannot be used at this moment: it does not answer, is full, or does not let the program in."""


class StoreSilent(StoreAway):
    """The store does not answer at this moment, and may in another: its server is away, starts, stops, or is full of others."""


class OutcomeUnknown(RollbookError):
    """The disk failed while something was being recorded: it may be in the history, or not, or appear there later.

    What was asked for with a command id is asked for again with the same id, and happens once.
    """


class HistoryDamaged(RollbookError):
    """A store holds something else than was written; ``entry`` is the number of the first such entry, 0 for no known one."""

    def __init__(self, message: str, *, entry: int = 0) -> None:
        super().__init__(message)
        self.entry = entry


def damaged_entry(number: int, what: object, outcome: str = "") -> HistoryDamaged:
    """The error for an entry that is not what was written, and what comes of it."""
    return HistoryDamaged(f"Entry @{number} is damaged: {what}.{outcome}", entry=number)


def not_found(kind: str, name: str, known: Iterable[str]) -> NotFound:
    """The error for a ``kind`` of thing called ``name``, with the nearest of the ``known`` names, of verbs by their sense."""
    from difflib import get_close_matches  # noqa: PLC0415 - the same

    names = sorted(set(known))
    meant = meant_by(name, names) if kind == VERB else ()
    near = meant or tuple(get_close_matches(name, names, n=3, cutoff=0.5))
    if near:
        hint = f" Did you mean {' or '.join(near)}?"
    elif names and len(names) <= 12:
        hint = f" There are: {', '.join(names)}."
    elif names:
        hint = f" There are {len(names)}, for example {', '.join(names[:5])}."
    else:
        hint = " There are none."
    called = name if len(name) <= LONGEST_SAID else f"{name[:LONGEST_SAID]}…"
    return NotFound(f"There is no {kind} called {called!r}.{hint}", near, sought=name)


LONGEST_SAID = 80
"""Of a longer name that is not found so many characters are said: a file may hold a line of megabytes."""


def note_failure(place: str, said: str, fault: BaseException) -> None:
    """Log a failure that is turned into a sentence, or passed over. ``place`` is the logger below ``rollbook``."""
    import logging  # noqa: PLC0415 - a command in which nothing fails needs none

    logging.getLogger(f"rollbook.{place}").debug("%s", said, exc_info=fault)
