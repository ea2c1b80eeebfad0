"""A history as a forger has it: its entries as data, written again with hashes that fit, or with those that were there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs

from rollbook.adapters import wiring
from rollbook.adapters.exports.files import checked_line
from rollbook.adapters.exports.whole_file import line_of
from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.registry import RulesetRegistry
from rollbook.domain.actions.secrets import Reveal
from rollbook.domain.audit.answers import Answer, Verdict
from rollbook.domain.audit.receipts import Receipt, check_receipts, receipt_of
from rollbook.domain.base.errors import HistoryDamaged, RollbookError
from rollbook.domain.history.chain import FIRST_EVENT, ROOT, canonical, hash_in, kind_of, lines_of, seal
from rollbook.domain.history.event_store import NewEntry, StoredEntry
from rollbook.domain.history.secrecy import PublicHead
from tests.support.campaigns import KnownSeeds, begin_campaign, memory_book, ticking_clock
from tests.support.codec_lines import halves_of
from tests.support.exports import verify
from tests.support.memory_store import MemoryEventStore
from tests.support.toy import TOY

Line = list[Any]
"""A stored line as data: its name and its fields."""

CHAIN, DICE = "chain", "dice"


@attrs.define
class Forged:
    """One entry: its ``number``, its lines without the seal, and the hashes that its seal had."""

    number: int
    lines: list[Line]
    hash: str
    previous_hash: str

    @property
    def kind(self) -> str:
        return str(self.lines[0][0])

    @property
    def public(self) -> dict[str, Any]:
        """The fields of the public envelope."""
        return _fields(self.lines[0])

    @property
    def private(self) -> dict[str, Any]:
        """The fields of the private envelope."""
        return _fields(self.lines[1]) if len(self.lines) > 1 else {}

    @property
    def events(self) -> list[Line]:
        return self.lines[FIRST_EVENT:]

    def event(self, name: str) -> dict[str, Any]:
        """The fields of its first event of a class."""
        return next(fields for stored, fields in self.events if stored == f"{name}@1")  # type: ignore[no-any-return]

    def has(self, name: str) -> bool:
        """Whether it has an event of a class."""
        return any(stored == f"{name}@1" for stored, _ in self.events)

    @property
    def verb(self) -> str:
        return str(self.public.get("intent", {}).get("verb", ""))


def _fields(line: Line) -> dict[str, Any]:
    fields = line[1] if isinstance(line, list) and len(line) > 1 else None
    return fields if isinstance(fields, dict) else {}


def forged(stored: Iterable[StoredEntry]) -> list[Forged]:
    """The entries of a history, to be changed."""
    made = []
    for entry in stored:
        *lines, (_, sealed) = (json.loads(line) for line in lines_of(entry.data))
        made.append(Forged(entry.version, lines, sealed["hash"], sealed["previous_hash"]))
    return made


def written(entries: Sequence[Forged], *, remade: bool = True) -> list[StoredEntry]:
    """The entries as they are stored: with hashes ``remade`` from the first change on, or with those that they had."""
    previous, public, made = ROOT, ROOT, []
    for entry in entries:
        if remade and entry.public.get("previous_public_hash"):
            entry.public["previous_public_hash"] = public
        lines = [canonical(each) for each in entry.lines]
        hash_, before = entry.hash, entry.previous_hash
        if remade:
            both = halves_of(lines, _positions(entry))
            hash_, before = both.hash(previous, str(entry.public.get("previous_public_hash", ""))), previous
        data = b"\n".join([*lines, seal(hash_, before)])
        made.append(StoredEntry(entry.number, _kind(data), data))
        previous, public = hash_, public if entry.public.get("visibility") else hash_
    return made


def _positions(entry: Forged) -> list[Any]:
    found = entry.private.get("hidden_events", ())
    return list(found) if isinstance(found, (list, tuple)) else []


def _kind(data: bytes) -> str:
    try:
        return kind_of(data)
    except ValueError:
        return ""


# The honest history.


def played(book: Book) -> Campaign:
    """A campaign with everything that can be forged: two sessions, secrets, whispers, corrections, a reveal, a redaction."""
    campaign = begin_campaign(book)
    campaign.do("entropy", {"text": "6 2 5"}, seat="mira")
    campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
    campaign.do("roll", {"expression": "2d6"}, seat="mira")
    slip = campaign.do("note", {"text": "a slip of the tongue"}, seat="mira").action
    campaign.do("gain-token", {"who": "robin"})
    fell = campaign.do("adjust", {"who": "robin", "what": "hp", "by": -2, "reason": "fell"}).action
    campaign.corrections.undo(fell, reason="did not").apply()
    campaign.corrections.redo(fell, reason="did").apply()
    campaign.corrections.amend(fell, {"by": -3}, reason="further").apply()
    campaign.do("close-session")
    kept = campaign.do("note", {"text": "the duke did it", "to": "gm"}).number
    campaign.do("note", {"text": "psst", "to": "mira"})
    campaign.do("open-session", {"title": "second"})
    campaign.do("roll", {"expression": "1d20", "purpose": "omen"}, secret=True)
    campaign.do("roll", {"expression": "1d20", "purpose": "luck"}, seat="mira")
    campaign.play(Reveal(entries=(kept,)))
    campaign.redact(slip, why="a private matter")
    campaign.do("note", {"text": "to be read by all"})
    campaign.do("close-session")
    campaign.do("reveal-screen", {"session": 1})
    campaign.do("reveal-screen", {"session": 2})
    campaign.do("gain-token", {"who": "robin"})
    return campaign


@attrs.frozen
class Honest:
    """The history as it was, and a receipt of every entry that the table saw."""

    stored: tuple[StoredEntry, ...]
    receipts: tuple[Receipt, ...]
    campaign: str


@cache
def honest() -> Honest:
    """The history that is forged."""
    with TemporaryDirectory() as folder:
        return noted(played(memory_book(Path(folder))))


def noted(campaign: Campaign) -> Honest:
    """A campaign's history, and a receipt for every entry that the table saw."""
    shown, receipts = PublicHead(), []
    for entry in campaign.session.log.entries():
        shown = shown.after(entry)
        if not entry.visibility:
            receipts.append(receipt_of(campaign.id, shown, None))
    return Honest(tuple(campaign.session.log.stored()), tuple(receipts), campaign.id)


# Who looks at it.


@attrs.frozen
class Findings:
    """What everybody says of a history: the audit's answers, what loading and importing found, and what the verifier says."""

    answers: dict[str, Answer]
    damage: str
    refused: str
    code: int
    verdicts: dict[str, str]
    said: str

    def of_engine(self, question: str) -> str:
        """What the audit says; of dice it says nothing where the chain is broken."""
        is_broken = question != CHAIN and self.answers[CHAIN].verdict is Verdict.FAILED
        return "" if is_broken else str(self.answers[question].verdict)

    def of_verifier(self, question: str) -> str:
        """What the verifier says."""
        return self.verdicts.get(question, "")

    @property
    def is_verified(self) -> bool:
        """Whether the audit says VERIFIED to everything, receipts among it."""
        return all(answer.verdict is Verdict.VERIFIED for answer in self.answers.values())


def looked_at(stored: Sequence[StoredEntry], true: Honest, folder: Path) -> Findings:
    """What everybody says of a forged history."""
    book = book_of(stored, true.campaign, folder)
    answers, damage = audited(book, true)
    path = folder / "forged.jsonl"
    path.write_bytes(file_of(stored, true.campaign))
    code, said = verify(path)
    return Findings(answers, damage, _imported(path, folder), code, verdicts_in(said), said)


def book_of(stored: Sequence[StoredEntry], campaign: str, folder: Path) -> Book:
    """A book with a forged history in it, and a new read model."""
    store = ForgedStore(campaign, stored)
    return wiring.book_of(
        store, SQLiteReadModel(), KnownSeeds(folder), RulesetRegistry({TOY.key: TOY}), ticking_clock()
    )


class ForgedStore(MemoryEventStore):
    """A store whose rows have the places that somebody wrote into them."""

    def __init__(self, stream: str, stored: Sequence[StoredEntry]) -> None:
        super().__init__()
        self._rows: list[StoredEntry] = []
        self.append(stream, 0, [NewEntry(entry.kind, entry.data, _events_of(entry)) for entry in stored])
        self._rows = sorted(stored)

    def head(self, stream: str) -> int:
        return max((entry.version for entry in self._rows), default=0) if stream in self._streams else 0

    def read(self, stream: str, after: int = 0, until: int | None = None) -> Iterator[StoredEntry]:
        last = self.head(stream) if until is None else until
        return (entry for entry in self._rows if after < entry.version <= last)

    def read_kinds(self, stream: str, kinds: Sequence[str], after: int = 0) -> Iterator[StoredEntry]:
        names = ({entry.kind.partition("@")[0], *_events_of(entry)} for entry in self.read(stream, after))
        return (entry for entry, held in zip(self.read(stream, after), names, strict=True) if held & set(kinds))


def _events_of(entry: StoredEntry) -> tuple[str, ...]:
    names = (line[2 : line.find(b"@")].decode(errors="replace") for line in lines_of(entry.data)[FIRST_EVENT:-1])
    return tuple(sorted(set(names)))


def audited(book: Book, true: Honest) -> tuple[dict[str, Answer], str]:
    """The answers of an audit with receipts, by question, and what is known to be damaged."""
    campaign = book.campaign(true.campaign)
    answers = {answer.question: answer for answer in campaign.audit()}
    entries = campaign.history.entries
    of = answers[CHAIN].entries
    answers["receipts"] = check_receipts(campaign.id, true.receipts, entries, of=of)
    return answers, campaign.session.damage


def _imported(path: Path, folder: Path) -> str:
    try:
        import_campaign(memory_book(folder / "other"), path)
    except RollbookError as refusal:
        assert isinstance(refusal, HistoryDamaged), refusal
        return str(refusal)
    return ""


def verdicts_in(said: str) -> dict[str, str]:
    """What the verifier says of chain and dice, as far as it got."""
    lines = (line.split() for line in said.splitlines())
    return {line[0]: line[1] for line in lines if len(line) > 1 and line[0] in (CHAIN, DICE) and line[1].isupper()}


def file_of(stored: Sequence[StoredEntry], campaign: str) -> bytes:
    """The exported file of a history, whatever is in it; the header says what the file holds."""
    head = hash_in(stored[-1].data) if stored else ROOT
    events = sum(len(lines_of(entry.data)) - FIRST_EVENT - 1 for entry in stored)
    said = {"format": "rollbook/export/1", "campaign": campaign, "entries": len(stored), "events": events, "head": head}
    return b"".join([checked_line(json.dumps(said).encode()), *map(line_of, stored)])


def copy(entries: Sequence[Forged]) -> list[Forged]:
    """Entries to be changed without those that they come from."""
    return deepcopy(list(entries))
