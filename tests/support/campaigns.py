"""Books and campaigns of the toy, in memory or in files, with a clock that ticks at every read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from unittest.mock import patch

import attrs

from adapters.book import Book
from adapters.campaign import Campaign
from adapters.entry_log import EntryLog
from adapters.head import Head
from adapters.registry import RulesetRegistry
from adapters.seeds import SeedKeeper, Seeds
from adapters.storage.codec import CODEC
from adapters.storage.event_store import MemoryEventStore, SQLiteEventStore
from adapters.storage.read_model import ReadModel
from domain.audit import Answer, audit_chain, batches
from domain.corrections import Proposal
from domain.dice.supply import DiceNeeded
from domain.errors import NotFound, Refused
from domain.event_store import EventStore, StoredEvent
from domain.events import Event, Header
from domain.history import Entry
from domain.ruleset import Ruleset
from tests.support.random_steps import ActionStep, CorrectionStep, RandomSteps, SecondThoughtStep, opening_steps
from tests.support.toy import TOY

CLOCK_START = 1_790_000_000_000_000


def ticking_clock(start: int = CLOCK_START) -> Callable[[], int]:
    """A clock that is a second later at every look."""
    ticks: Iterator[int] = count(start, 1_000_000)
    return lambda: next(ticks)


class KnownSeeds(SeedKeeper):
    """A keeper whose seeds follow from how many there are, so that an evening comes out the same in every run."""

    def new(self, campaign: str) -> Seeds:
        known = len(list(self.folder.glob("*.json")))
        drawn = (sha256(b"%d %d" % (known, at)).digest() for at in count())
        with patch("secrets.token_bytes", lambda size: next(drawn)[:size]):
            return super().new(campaign)


def file_book(
    folder: Path,
    store: EventStore | None = None,
    *,
    ruleset: Ruleset | None = TOY,
    clock: Callable[[], int] | None = None,
) -> Book:
    """A book in a folder: the store, the read model and the seeds."""
    registry = RulesetRegistry({ruleset.key: ruleset} if ruleset else {})
    return Book(
        SQLiteEventStore(folder / "rollbook.db") if store is None else store,
        ReadModel(folder / "rollbook.read.db"),
        KnownSeeds(folder / "seeds"),
        registry,
        clock or ticking_clock(),
    )


def memory_book(folder: Path, *, ruleset: Ruleset | None = TOY) -> Book:
    """A book whose store and read model are in memory; the seeds are in the folder."""
    registry = RulesetRegistry({ruleset.key: ruleset} if ruleset else {})
    return Book(MemoryEventStore(), ReadModel(), KnownSeeds(folder / "seeds"), registry, ticking_clock())


def begin_campaign(book: Book, name: str = "Sherwood", *, session: bool = True, drawn: str = "") -> Campaign:
    """A campaign with its people, and its first session open; its identity, and so its dice, follow from ``drawn``."""
    with patch("secrets.token_hex", lambda size: sha256(f"campaign {name}{drawn}".encode()).hexdigest()[: 2 * size]):
        campaign = book.new(name, "toy")
    for step in opening_steps():
        campaign.do(step.verb, step.params, seat=step.seat or None)
    if session:
        campaign.do("open-session", {"title": "first"})
    return campaign


def play_campaign_steps(campaign: Campaign, chance: RandomSteps, steps: int, *, corrections: float = 0.25) -> None:
    """So many random steps at the book; what is refused is left."""
    for _ in range(steps):
        step = chance.step(campaign.history, corrections=corrections)
        try:
            if isinstance(step, ActionStep):
                campaign.do(step.verb, step.params, seat=step.seat, typed=step.typed, secret=step.secret)
            elif isinstance(step, SecondThoughtStep):
                campaign.intervene(step.thought)
            elif step.changes:
                apply_correction(campaign, step)
        except (Refused, NotFound, DiceNeeded):
            continue


def apply_correction(campaign: Campaign, step: CorrectionStep) -> None:
    """A correction of the random play."""
    made = campaign.preview(step.changes, reason="so", stand=step.stand, orphans=step.orphans, draw=True)
    campaign.apply(made)


def stored_events(campaign: Campaign) -> list[StoredEvent]:
    """A campaign as it lies in its store."""
    return list(campaign.journal.store.read(campaign.id))


def chain_answer(events: Iterable[StoredEvent], remembered: tuple[int, str] = (0, "")) -> Answer:
    """The first of the three answers, about these events."""
    return audit_chain(events, CODEC.headers.__contains__, CODEC.decode, remembered)


def renumbered(events: Iterable[StoredEvent]) -> list[StoredEvent]:
    """The events with versions without a gap, as somebody would leave them who hides what he did."""
    return [StoredEvent(version, name, data) for version, (_, name, data) in enumerate(events, 1)]


def events_by_entry(events: Iterable[StoredEvent]) -> list[list[StoredEvent]]:
    """Stored events, entry by entry."""
    return list(batches(events, CODEC.headers.__contains__))


def rewritten_history(campaign: Campaign, change: Callable[[Event], Event | None]) -> list[Entry]:
    """The history with other facts (None takes one out), chained anew by somebody who can compute."""
    journal = EntryLog(MemoryEventStore(), campaign.id, lambda: 0)
    proposals = []
    for entry in campaign.journal.entries():
        header = change(entry.header)
        assert isinstance(header, Header)
        facts = (change(fact) for fact in entry.facts)
        bare = attrs.evolve(header, parent="", witness="", salt="")
        proposals.append(Proposal(bare, tuple(fact for fact in facts if fact is not None)))
    journal.write(Head(), proposals)
    assert journal.audit_chain().verdict == "VERIFIED"
    return list(journal.entries())
