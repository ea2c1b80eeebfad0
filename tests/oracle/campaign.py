"""One random campaign, played by the engine in a SQLite file and by the oracle beside it, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from rollbook.adapters.imports.jsonl import import_campaign
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.wiring import book_of
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.redaction import redact
from rollbook.application.registry import RulesetRegistry
from rollbook.application.timelines import forking
from rollbook.application.timelines.rerun import rerun
from rollbook.domain.actions.dice import DrawFor
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.corrections.changes import Change, CorrectionOptions, Orphans, Proposal
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.entries import Entry, RecordedEntry
from rollbook.domain.history.history import History
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.testing.conformance.playthrough import NEIGHBOUR
from tests.oracle import comparing
from tests.oracle.comparing import Disagreement, same
from tests.oracle.correcting_check import OracleCheck
from tests.oracle.playing import Asked, Player, Refusal
from tests.oracle.redacting import Removal
from tests.oracle.stored import Entry as Stored
from tests.oracle.stored import read_store
from tests.oracle.timelines import Streams
from tests.support.campaigns import KnownSeeds, ticking_clock

RECORDED = (
    "number",
    "at",
    "public_number",
    "previous_public_hash",
    "public_salt",
    "correction",
    "salt",
    "hidden_events",
)
"""What an entry of a correction gets when it is stored, with its hashes, fingerprint and command."""
SALT, UNIQUE = 32, "quixotic"
"""Salts have so many letters, and unique words begin so: others may be in the store in their own right."""
UNTOUCHED: Mapping[str, Mapping[int, bytes]] = {}


class Played:
    """A book with one campaign of a game, and what the oracle has read of it."""

    def __init__(self, game: Ruleset, folder: Path, name: str, house: Mapping[str, Any]) -> None:
        self.game, self.folder = game, folder
        self.clock = ticking_clock()
        self.seen: Counter[str] = Counter()
        self.secrets: dict[str, str] = {}
        self.known: dict[tuple[int, bytes], Stored] = {}
        self.book = self._opened()
        with patch("secrets.token_hex", lambda size: sha256(name.encode()).hexdigest()[: 2 * size]):
            self.canon = self.book.new("Sherwood", game.key, house).id
        self.player = Player(self.book.rulebook, folder / "seeds")
        self.streams = self._read()

    def _opened(self) -> Book:
        store = SQLiteEventStore(self.folder / "rollbook.db")
        model = SQLiteReadModel(self.folder / "rollbook.read.db")
        registry = RulesetRegistry({game.key: game for game in (NEIGHBOUR, self.game)})
        return book_of(store, model, KnownSeeds(self.folder / "seeds"), registry, self.clock)

    def _read(self) -> Streams:
        return Streams(read_store(self.folder / "rollbook.db"), self.known)

    def campaign(self, stream: str) -> Campaign:
        """The open campaign of a stream."""
        return self.book.campaign(stream)

    def entries(self, stream: str) -> list[Stored]:
        """What the oracle has read of a stream."""
        return self.streams.views[stream]

    def added(self, stream: str, instead: Mapping[str, Mapping[int, bytes]] = UNTOUCHED) -> list[Stored]:
        """Read the store again. Returns what was appended to a stream.

        Nothing else may have changed, but for lines ``instead`` of others in some streams, which may grow too.
        """
        before, self.streams = self.streams, self._read()
        about = "redacted words" if instead else "what was stored"
        for other, rows in before.store.streams.items():
            now = self.streams.store.streams.get(other, [])
            swapped, base = instead.get(other, {}), before.base(other)
            right = [(version, swapped.get(base + version, data)) for version, data in rows]
            if right != list(now[: len(rows)]):
                raise Disagreement(about, f"the lines of {other} are not what they must be")
            if len(now) > len(rows) and other not in (stream, *instead):
                raise Disagreement(about, f"{other} has grown")
        return self.streams.views[stream][len(before.views[stream]) :]

    # What is done.

    def do(self, stream: str, asked: Asked, take: Callable[[Campaign], object] | None = None) -> Stored | None:
        """Somebody acts. Returns the entry, None if engine and oracle both refuse."""
        campaign = self.campaign(stream)
        before = self.streams
        try:
            if take is None:
                campaign.do(
                    asked.verb,
                    asked.params,
                    seat=asked.seat,
                    dice=asked.typed,
                    secret=asked.secret,
                    reason=asked.reason,
                )
            else:
                take(campaign)
            refused = ""
        except RollbookError as why:
            refused = str(why)
        new = self.added(stream)
        if refused and new:
            raise Disagreement("append", f"{asked.verb} was refused ({refused}) and left {len(new)} entries")
        if not refused and len(new) != 1:
            raise Disagreement("append", f"{asked.verb} left {len(new)} entries")
        try:
            expected = self.player.expected(before, stream, asked, new[0] if new else None)
        except Refusal as why:
            if not refused:
                raise Disagreement("refusal", f"{asked} was taken, and: {why}") from None
            self.seen["refused"] += 1
            return None
        if refused:
            raise Disagreement("refusal", f"{asked} was refused: {refused}")
        comparing.appended(new[0], expected)
        self.seen[asked.verb] += 1
        return new[0]

    def correct(self, stream: str, changes: Mapping[int, Change], *, stand: bool, orphans: Orphans) -> Proposal | None:
        """The GM corrects. Returns what was proposed, None if engine and oracle both refuse."""
        table = BookTable(self, stream)
        try:
            check = OracleCheck(table, remembers=False)
            made = check.previewed(changes, stand=stand, orphans=orphans)
            made.check_changes_something()
            check.apply(made)
        except (DiceNeeded, RollbookError):
            self.added(stream)
            self.seen["refused correction"] += 1
            return None
        except AssertionError as fault:
            if isinstance(fault, Disagreement):
                raise
            raise Disagreement("correction", f"{dict(changes)} on {stream}: {fault}") from fault
        self.seen["corrected"] += 1
        self.seen["orphans"] += sum(one.effect == "orphaned" for one in made.consequences)
        return made

    def redact(self, stream: str, action: int, why: str) -> None:
        """The words of a note are removed from every file, and from its copies; what is left are marks, and a record of each."""
        before = self.streams
        lost = Removal(before, stream, action)
        try:
            redact(self.book, self.campaign(stream), action, why=why)
        except RollbookError as refusal:
            if lost.is_possible or (lost.is_note and not lost.words):
                raise Disagreement("refusal", f"the words of #{action} are not removed: {refusal}") from None
            self.added(stream)
            return
        if lost.words and not lost.is_possible:
            raise Disagreement(
                "refusal", f"the words of #{action} were removed from {stream}, where they are not its own"
            )
        self.added(stream, lost.instead)
        for other, actions in lost.actions.items():
            new = self.streams.views[other][len(before.views[other]) :]
            same("redacted words", len(new), len(actions))
            for entry, (copy, numbers) in zip(new, actions.items(), strict=True):
                params = {"action": copy, "why": why, "entries": numbers}
                secret = any(before.views[other][number - 1].visibility for number in numbers)
                asked = Asked(verb="redact", params=params, reason=why, secret=secret)
                comparing.appended(
                    entry, self.player.expected(before.with_own(other, new[: new.index(entry)]), other, asked, entry)
                )
        self._check_gone(lost.words)
        self.seen["redacted"] += 1

    def _check_gone(self, words: set[str]) -> None:
        for path in self.folder.glob("rollbook*"):
            data = path.read_bytes()
            for word in words:
                if (len(word) == SALT or word.startswith(UNIQUE)) and word.encode() in data:
                    raise Disagreement("redacted words", f"{word!r} is in {path.name} still")

    def fork(self, stream: str, entry: int) -> str | None:
        """A timeline leaves a stream; nobody forks in the midst of a correction."""
        entries = self.entries(stream)
        ids = [each.private["correction"] for each in entries]
        halfway = entry < len(entries) and ids[entry - 1] != "" and ids[entry - 1] == ids[entry]
        try:
            made = forking.fork(self.book, self.campaign(stream), entry, "what if")
        except RollbookError as why:
            if not halfway:
                raise Disagreement("timeline", f"@{entry} of {stream}: {why}") from None
            return None
        forking.begin(made)
        numbers = [marker["number"] for marker in self.streams.store.markers.values()]
        self.streams = self._read()
        marker = {key: value for key, value in self.streams.store.markers[made.id].items() if key != "at"}
        right = {
            "number": max(numbers, default=0) + 1,
            "parent": stream,
            "entry": entry,
            "hash": entries[entry - 1].hash,
        }
        told = {"why": "what if", "ruleset": "", "ruleset_version": ""}
        comparing._same_unordered("timeline", marker, {**right, **told})
        if halfway:
            raise Disagreement("timeline", f"it leaves {stream} in the midst of a correction, at @{entry}")
        self.seen["forked"] += 1
        return made.id

    def rerun(self) -> None:
        """Everything of canon again, by its own rules: what was never corrected comes out the same to the last event.

        A removal has no meaning there, not even one that found no words.
        """
        with suppress(RollbookError):
            made = rerun(self.book, self.campaign(self.canon), self.game.key)
            self.streams = self._read()
            entries, again = self.entries(self.canon), self.entries(made.id)
            same("rerun: actions", len(again), max(entry.action for entry in entries))
            plain = [
                entry
                for entry in entries
                if entry.kind == "ActionTaken"
                and entry.intent["verb"] != "redact"
                and not (entry.events and entry.events[0].is_mark)
            ]
            if len(plain) == len(entries):
                same("rerun: events", [_told(entry) for entry in again], [_told(entry) for entry in entries])
                self.seen["rerun the same"] += 1
            self.seen["rerun"] += 1

    def reopen(self, *, without_read_model: bool = False) -> None:
        """The program ends and begins again, perhaps without its read model."""
        self.book.close()
        if without_read_model:
            for path in self.folder.glob("rollbook.read.db*"):
                path.unlink()
        self.book = self._opened()
        self.player.rulebook = self.book.rulebook
        self.streams = self._read()

    def import_again(self, path: Path, name: str) -> None:
        """The whole export under another name: the same lines, byte for byte."""
        import_campaign(self.book, path, name)
        self.streams = self._read()
        same("import", [entry.hash for entry in self.entries(name)], [entry.hash for entry in self.entries(self.canon)])
        if [entry.data for entry in self.entries(name)] != [entry.data for entry in self.entries(self.canon)]:
            raise Disagreement("import", "it is not the same, byte for byte")

    def check(self, stream: str, chance: Random | None = None) -> None:
        """What must be the same after every step; with a ``chance`` also what takes longer, as far as it says."""
        campaign, entries, now = self.campaign(stream), self.entries(stream), self.streams.now(stream)
        comparing.history(campaign, entries, now)
        if chance:
            comparing.files(campaign, entries, now, self.folder, self.secrets, chance)
            comparing.audits(campaign, entries)
            comparing.moments(campaign, entries, chance)


class BookTable:
    """An open campaign as the oracle of corrections looks at it."""

    def __init__(self, played: Played, stream: str) -> None:
        self.played, self.stream = played, stream
        self.campaign = played.campaign(stream)
        self.rulebook = played.book.rulebook
        self.corrector = self.campaign.seat(None)
        self._fresh: object = None

    @property
    def history(self) -> History:
        return self.campaign.history

    @property
    def state(self) -> CampaignState:
        return self.campaign.refresh().state

    def preview(self, changes: Mapping[int, Change], **how: Any) -> Proposal:
        """What the engine would append."""
        return self.campaign.corrections.preview(changes, reason="so", options=CorrectionOptions(**how))

    def draw(self, needed: DiceNeeded) -> object:
        """A die that was never rolled, out of the open session. Raises Refused without one."""
        asked = needed.request
        action = needed.action if needed.action <= self.history.actions else 0  # it is about to be inserted
        params = {"action": action, "roller": asked.roller, "purpose": asked.purpose}
        draw = DrawFor(**params, ordinal=asked.ordinal, sides=needed.sides)
        drawn = self.played.do(
            self.stream,
            Asked(
                verb="draw-for", params={**params, "ordinal": asked.ordinal, "sides": needed.sides}, secret=asked.secret
            ),
            lambda campaign: campaign.play(draw, secret=asked.secret),
        )
        if drawn is None:
            raise needed
        return drawn

    def apply(self, made: Proposal) -> list[RecordedEntry]:
        """Store it. What an entry gets only then is left out of what is returned."""
        entries = made.apply()  # type: ignore[attr-defined]
        new = self.played.added(self.stream)
        same("append", len(new), len(entries))
        return [_as_proposed(*pair) for pair in zip(entries, made.entries, strict=True)]


def _as_proposed(entry: RecordedEntry, proposal: Entry) -> RecordedEntry:
    late = (*RECORDED, "fingerprint", "command", "command_digest", "previous_hash", "hash")
    return entry._replace(**{name: getattr(proposal, name) for name in late})


def _told(entry: Stored) -> list[Any]:
    """The events of an entry, but for salts."""
    return [[event.name, {key: value for key, value in event.says.items() if key != "salt"}] for event in entry.events]
