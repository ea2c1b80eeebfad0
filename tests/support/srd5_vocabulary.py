"""The closed lists of words, from ``data/vocabulary.json``: what a field may say, by ``field`` or by ``Type.field``.

Spans of time and dice are patterns and no words. Free text (names, ``words``, triggers) has no list.
"""

import json
from functools import cache
from pkgutil import get_data

SPAN = r"(\d+|\d+d\d+) (round|minute|hour|day|year)s?"
DICE = r"-?\d+|[+-]?\d+d\d+( [+-] (\d+|mod|slot))*|d\d+|chosen|ability"
SPANS = ("lasts", "most", "within", "after", "duration", "casting")
PATTERNS = {**dict.fromkeys(SPANS, SPAN), "dice": DICE, "slot": DICE}


@cache
def words() -> dict[str, tuple[str, ...]]:
    """The lists by their field."""
    raw = json.loads(get_data("rollbook.rulesets.srd5", "data/vocabulary.json") or b"")
    return {field: tuple(listed) for field, listed in raw.items()}


def words_for(kind: str, field: str) -> tuple[str, ...] | None:
    """The words that a field of a type may say, if that is closed."""
    return words().get(f"{kind}.{field}", words().get(field))
