"""Checks after any fault: acknowledged commands are stored once, nothing twice or in part, and all see the same.

Each check gives sentences, one for everything that is wrong, so that a run can count them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.application.book import Book
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.event_store import EventStore
from tests.support.hosting.ledger import Asked, Ledger

BY_CAMPAIGN = ("session_log", "xp_timeline", "sheets", "sheet_values")
"""The tables of a read model whose rows follow from the history alone."""
NOT_FROM_HISTORY = ("stamp", "head", "terms", "words")
"""Columns that are compared by what they mean elsewhere, or that say when they were made."""


@attrs.define
class Findings:
    """Faults found after a run, by kind; empty if there are none."""

    lost: list[str] = attrs.field(factory=list)
    doubled: list[str] = attrs.field(factory=list)
    torn: list[str] = attrs.field(factory=list)
    unproven: list[str] = attrs.field(factory=list)
    read_models: list[str] = attrs.field(factory=list)
    readers: list[str] = attrs.field(factory=list)

    @property
    def everything(self) -> list[str]:
        """All sentences."""
        return [sentence for found in attrs.astuple(self, recurse=False) for sentence in found]


def check_history(book: Book, ledger: Ledger) -> Findings:
    """The histories of all campaigns against what clients were told."""
    found = Findings()
    made: dict[tuple[str, str], list[RecordedEntry]] = defaultdict(list)
    stored: dict[tuple[str, str], set[str]] = defaultdict(set)
    for campaign in book.campaigns():
        found.torn += gaps(book.store, campaign)
        for entry in book.campaign(campaign).history.entries:
            if entry.command:
                made[campaign, entry.command].append(entry)
            stored[campaign, entry.correction or str(entry.number)].update(marks_of(entry))
    marks = Counter((campaign, mark) for (campaign, _), said in stored.items() for mark in said)
    for one in ledger.asked.values():
        _check_command(one, made.pop((one.campaign, one.id), []), marks.pop((one.campaign, one.mark), 0), found)
    for campaign, id_ in {*made, *marks}:
        found.doubled.append(f"{id_} stands in {campaign}, and nobody asked for it there.")
    return found


def _check_command(one: Asked, entries: Sequence[RecordedEntry], times: int, found: Findings) -> None:
    """One command against the entries that carry its id, and how often its mark stands in the history."""
    if one.acknowledged and not entries:
        found.lost.append(f"{one.id} of {one.campaign} was acknowledged, and is not in the history.")
    if len({entry.correction or entry.number for entry in entries}) > 1 or times > 1:
        found.doubled.append(f"{one.id} of {one.campaign} stands {max(len(entries), times)} times in the history.")
    numbers = tuple(entry.number for entry in entries)
    if one.entries and numbers and numbers != one.entries:
        found.torn.append(f"{one.id} of {one.campaign} made {one.entries}, and {numbers} stand in the history.")
    if one.parts and entries and len(entries) != one.parts:
        found.torn.append(f"{one.id} of {one.campaign} made {len(entries)} entries of {one.parts}.")
    if one.mark and bool(entries) != bool(times):
        found.torn.append(f"{one.id} of {one.campaign} stands in the history without its words or without its id.")


def marks_of(entry: RecordedEntry) -> list[str]:
    """The marks of commands that an entry carries: the words of a note, the purpose of a roll, or a reason."""
    said = [entry.reason, *(getattr(event, name, "") for event in entry.events for name in ("text", "purpose"))]
    return [words for words in said if re.fullmatch(r"P\d+-\d+", words)]


def gaps(store: EventStore, campaign: str) -> list[str]:
    """Sentences on wrong versions of a stream: they should be 1, 2, 3 … up to its head."""
    versions = [entry.version for entry in store.read(campaign)]
    if versions == list(range(1, len(versions) + 1)) and store.head(campaign) == len(versions):
        return []
    return [f"{campaign} has the versions {versions[:5]} … {versions[-5:]}, {len(versions)} in all."]


def check_audits(book: Book, campaigns: Iterable[str] | None = None) -> list[str]:
    """Every answer of every audit that is not VERIFIED."""
    wrong = []
    for campaign in book.campaigns() if campaigns is None else campaigns:
        for answer in book.campaign(campaign).audit():
            if answer.verdict is not Verdict.VERIFIED:
                why = "; ".join([*(str(one) for one in answer.findings), *answer.remarks])[:300]
                wrong.append(f"{campaign}: {answer.question} {answer.verdict.name}: {why}")
    return wrong


def check_read_model(
    model: SQLiteReadModel, rebuilt: SQLiteReadModel, called: str, campaigns: Iterable[str]
) -> list[str]:
    """Sentences on campaigns in which a read model differs from one that was made of the store in one go."""
    known, right = rows_by_campaign(model), rows_by_campaign(rebuilt)
    wrong = []
    for campaign in campaigns:
        for table in BY_CAMPAIGN:
            here, there = known[table].get(campaign, []), right[table].get(campaign, [])
            if here != there:
                wrong.append(
                    f"{called}: {table} of {campaign} has {len(here)} rows, rebuilt {len(there)}, not the same."
                )
        if model.snapshot(campaign) != rebuilt.snapshot(campaign):
            wrong.append(f"{called}: the head of {campaign} is another one.")
    return wrong


def rows_by_campaign(model: SQLiteReadModel) -> dict[str, dict[str, list[tuple[Any, ...]]]]:
    """The rows of the tables that follow from the history, by table and campaign."""
    found: dict[str, dict[str, list[tuple[Any, ...]]]] = {}
    for table in BY_CAMPAIGN:
        names = [column[1] for column in model.db.execute(f"PRAGMA table_info({table})")]
        kept = [name for name in names if name not in (*NOT_FROM_HISTORY, "campaign")]
        rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        for campaign, *row in model.db.execute(f"SELECT {', '.join(['campaign', *kept])} FROM {table}"):
            rows[campaign].append(tuple(row))
        found[table] = {campaign: sorted(some, key=repr) for campaign, some in rows.items()}
    return found


def check_readers(shown: Mapping[str, Sequence[tuple[str, Mapping[str, str]]]]) -> list[str]:
    """Sentences on readers of one campaign that differ; ``shown`` has their names and cards by campaign."""
    wrong = []
    for campaign, readers in shown.items():
        first_name, first = readers[0]
        for name, cards in readers[1:]:
            if dict(cards) != dict(first):
                other = sorted({key for key in {*cards, *first} if cards.get(key) != first.get(key)})
                wrong.append(
                    f"{campaign}: {name} and {first_name} show {len(cards)} and {len(first)} cards; {other[:3]} differ."
                )
    return wrong
