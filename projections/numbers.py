"""Numbers as people write them: ``12`` or ``#12`` is an action, ``@47`` an entry, ``12-40`` a range with both ends."""

import re
from collections.abc import Callable

from rollbook.domain.base.identifiers import ActionNumber, EntryNumber

_ACTION = r"#?([0-9]{1,12})"
_ENTRY = r"@([0-9]{1,12})"
_RANGE = r"(?P<low>[#@]?[0-9]*)(?:-|\.\.)(?P<high>[#@]?[0-9]*)"

Bounds = tuple[int | None, int | None]


def action_number(text: str) -> ActionNumber | None:
    """Read ``12`` or ``#12``; None for anything else."""
    found = re.fullmatch(_ACTION, text)
    return int(found[1]) if found else None


def entry_number(text: str) -> EntryNumber | None:
    """Read ``@47``; None for anything else."""
    found = re.fullmatch(_ENTRY, text)
    return int(found[1]) if found else None


def number_range(text: str, read: Callable[[str], int | None] = action_number) -> Bounds | None:
    """Read a number (both ends the same) or a range; an end that is left out is None. None for anything else.

    ``12``, ``12-40``, ``12-``, ``-40``; dots (``12..40``) do as well, as they do for times.
    """
    one = read(text)
    if one is not None:
        return one, one
    found = re.fullmatch(_RANGE, text)
    if found is None or not (found["low"] or found["high"]):
        return None
    low, high = (read(end) if end else None for end in (found["low"], found["high"]))
    is_unread = (found["low"] and low is None) or (found["high"] and high is None)
    return None if is_unread else (low, high)
