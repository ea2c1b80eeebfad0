"""A campaign that is written once more, entry by entry, with other texts in it. Its chain is whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from itertools import groupby
from pathlib import Path
from typing import Any

import attrs

from rollbook.adapters.wiring import open_book
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.domain.entries import Entry

Other = Callable[[str], str]


def rewritten(value: Any, other: Other) -> Any:
    """A value with other texts in the place of its own."""
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return other(value)
    if isinstance(value, Mapping):
        return {rewritten(key, other): rewritten(each, other) for key, each in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(rewritten(each, other) for each in value))
    if isinstance(value, (tuple, frozenset)):
        return type(value)(rewritten(each, other) for each in value)
    if attrs.has(type(value)):
        mine = {field.name: getattr(value, field.name) for field in attrs.fields(type(value)) if field.init}
        return attrs.evolve(value, **{name: rewritten(each, other) for name, each in mine.items()})
    return value


def write_again(played: Path, seeds: Path, store: Path, other: Other) -> str:
    """Write the one campaign of a store into a new store, past every check of what is typed. Returns its id."""
    with open_book(played, seeds, create=False) as source, open_book(store, seeds) as target:
        (campaign,) = source.campaigns()
        log = EntryLog(target.store, campaign, target.surroundings.clock)
        head = Head()
        entries = source.campaign(campaign).session.log.entries()
        for _, together in groupby(entries, lambda entry: entry.correction or entry.number):
            log.write(head, [rewritten(Entry._make(entry), other) for entry in together])
            head = log.scan()
        target.campaign(campaign).session.project()
    return campaign
