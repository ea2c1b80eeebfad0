"""Books and campaigns of the toy, in memory or in files, with a clock that ticks at every read."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from hashlib import sha256
from itertools import count, groupby
from pathlib import Path
from unittest.mock import patch

from rollbook.adapters.local_files.page_settings_file import PageSettingsFile
from rollbook.adapters.local_files.prompt_lines import PromptLines
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.wiring import book_of
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.encoding.codec import CODEC
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.open_history import OpenHistory
from rollbook.application.history.read_model import ReadModel
from rollbook.application.history.timeline_dice import Timeline
from rollbook.application.ports.seed_store import Seeds, SeedStore
from rollbook.application.ports.surroundings import Surroundings
from rollbook.application.registry import RulesetRegistry
from rollbook.application.session import CampaignSession
from rollbook.domain.audit.answers import Answer
from rollbook.domain.audit.witnesses import Witness
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import CorrectionOptions
from rollbook.domain.dice.supply import DiceNeeded
from rollbook.domain.entries import Entry, RecordedEntry
from rollbook.domain.events import Event
from rollbook.domain.history.event_store import EventStore, NewEntry, StoredEntry
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.ruleset import Ruleset
from tests.support.audits import audit_chain, chain_of
from tests.support.memory_store import MemoryEventStore
from tests.support.random_steps import ActionStep, CorrectionStep, RandomSteps, SecondThoughtStep, opening_steps
from tests.support.stores import unguarded
from tests.support.toy import TOY

CLOCK_START = 1_790_000_000_000_000


def ticking_clock(start: int = CLOCK_START) -> Callable[[], int]:
    """A clock that is a second later at every look."""
    ticks: Iterator[int] = count(start, 1_000_000)
    return lambda: next(ticks)


class KnownSeeds(SeedKeeper):
    """A keeper whose seeds follow from how many there are, so that a session comes out the same in every run."""

    def new(self, campaign: str) -> Seeds:
        known = len(list(self.folder.glob("*.json")))
        drawn = (sha256(b"%d %d" % (known, at)).digest() for at in count())
        with patch("secrets.token_bytes", lambda size: next(drawn)[:size]):
            return super().new(campaign)


def campaign_over(
    log: EntryLog, rulebook: Rulebook, seeds: SeedStore, read_model: ReadModel, timeline: Timeline | None = None
) -> Campaign:
    """A campaign that is opened by itself, without its book."""
    around = Surroundings(
        typed_lines=PromptLines(Path("nowhere")),
        patterns=lambda _, __, given, ___: (given, {}),
        page_settings=PageSettingsFile(Path("nowhere")),
    )
    history = OpenHistory(log, read_model)
    return Campaign(CampaignSession(history, rulebook, seeds, timeline=timeline, surroundings=around))


def book_with(campaign: Campaign) -> Book:
    """The book that a campaign was opened in: it carries out the lines that are said to the campaign."""
    said = campaign.session.surroundings.say_line
    assert isinstance(said, partial)
    book: Book = said.args[0]
    return book


def file_book(
    folder: Path,
    store: EventStore | None = None,
    *,
    ruleset: Ruleset | None = TOY,
    clock: Callable[[], int] | None = None,
) -> Book:
    """A book in a folder: the store, the read model and the seeds."""
    registry = RulesetRegistry({ruleset.key: ruleset} if ruleset else {})
    return book_of(
        SQLiteEventStore(folder / "rollbook.db") if store is None else store,
        SQLiteReadModel(folder / "rollbook.read.db"),
        KnownSeeds(folder / "seeds"),
        registry,
        clock or ticking_clock(),
    )


def memory_book(folder: Path, *, ruleset: Ruleset | None = TOY, clock: Callable[[], int] | None = None) -> Book:
    """A book whose store and read model are in memory; the seeds are in the folder."""
    registry = RulesetRegistry({ruleset.key: ruleset} if ruleset else {})
    return book_of(
        MemoryEventStore(), SQLiteReadModel(), KnownSeeds(folder / "seeds"), registry, clock or ticking_clock()
    )


def begin_campaign(book: Book, name: str = "Sherwood", *, session: bool = True, drawn: str = "") -> Campaign:
    """A campaign with its people, and its first session open; its identity, and so its dice, follow from ``drawn``."""
    with patch("secrets.token_hex", lambda size: sha256(f"campaign {name}{drawn}".encode()).hexdigest()[: 2 * size]):
        campaign = book.new(name, "toy")
    for step in opening_steps():
        campaign.do(step.verb, step.params, seat=step.seat or None)
    if session:
        campaign.do("open-session", {"title": "first"})
    return campaign


def opened_twice(folder: Path) -> tuple[Campaign, Campaign]:
    """A campaign in a file, opened by two programs."""
    one, other = file_book(folder), file_book(folder, clock=ticking_clock(5))
    return begin_campaign(one), other.campaign("sherwood")


@contextmanager
def before_writing(late: Campaign, happens: Callable[[], object], times: int = 1) -> Iterator[None]:
    """So many times something happens between the decision about an action and its recording."""
    write, left = late.session.log.write, iter(range(times))

    def delayed(*what: object) -> list[tuple[RecordedEntry, int]]:
        if next(left, None) is not None:
            happens()
        return write(*what)  # type: ignore[arg-type]

    with patch.object(late.session.log, "write", delayed):
        yield


def tokens(campaign: Campaign, who: str = "robin") -> int:
    """Number of a character's tokens, by all that is stored."""
    return campaign.refresh().state.characters[who].pools.get("tokens", 0)


def token_and_orphan(campaign: Campaign) -> tuple[int, int]:
    """A token that is gained, and spent: without the first the second is impossible."""
    for _ in range(tokens(campaign)):
        campaign.do("spend-token", who="robin")
    return campaign.do("gain-token", who="robin").action, campaign.do("spend-token", who="robin").action


def play_campaign_steps(campaign: Campaign, chance: RandomSteps, steps: int, *, corrections: float = 0.25) -> None:
    """So many random steps at the book; what is refused is left."""
    for _ in range(steps):
        step = chance.step(campaign.history, corrections=corrections)
        try:
            if isinstance(step, ActionStep):
                campaign.do(step.verb, step.params, seat=step.seat, dice=step.typed, secret=step.secret)
            elif isinstance(step, SecondThoughtStep):
                campaign.corrections.record_second_thought(step.thought)
            elif step.changes:
                apply_correction(campaign, step)
        except (Refused, NotFound, DiceNeeded):
            continue


def apply_correction(campaign: Campaign, step: CorrectionStep) -> None:
    """A correction of the random play."""
    made = campaign.corrections.preview(
        step.changes, reason="so", options=CorrectionOptions(stand=step.stand, orphans=step.orphans, draw=True)
    )
    made.apply()


def stored_events(campaign: Campaign) -> list[StoredEntry]:
    """A campaign as it lies in its store."""
    return list(campaign.session.log.stored())


def every_change(book: Book) -> list[object]:
    """All that lies in a store."""
    return list(book.store.changes())


def spoil(path: Path, sql: str, *values: object) -> None:
    """Change a store behind the back of the program."""
    with closing(sqlite3.connect(path)) as connection, connection:
        unguarded(connection).execute(sql, values)


def new(entries: Iterable[StoredEntry]) -> list[NewEntry]:
    """Stored entries, to be stored once more."""
    return [NewEntry(entry.kind, entry.data, kinds_in(entry.data)) for entry in entries]


def kinds_in(data: bytes) -> tuple[str, ...]:
    """The kinds of events of a stored entry, as its lines name them."""
    names = {line[2 : line.index(b"@")].decode().lstrip("~") for line in data.split(b"\n")[2:-1]}
    return tuple(sorted(names))


def chain_answer(entries: Iterable[StoredEntry], remembered: tuple[int, str] = (0, "")) -> Answer:
    """The first of the three answers, about these entries."""
    entry, seen = remembered
    witness = Witness(campaign="", since=entry, entry=entry, hash=seen, at=0)
    return audit_chain(entries, CODEC.read, [witness] if entry else ())


def renumbered(entries: Iterable[StoredEntry]) -> list[StoredEntry]:
    """The entries with versions without a gap, as a host would leave them to hide something."""
    return [entry._replace(version=version) for version, entry in enumerate(entries, 1)]


def rewritten_history(
    campaign: Campaign,
    change: Callable[[Event], Event | None],
    envelope: Callable[[RecordedEntry], Entry] = lambda entry: entry,
) -> list[RecordedEntry]:
    """The history with other events (None takes one out) and envelopes, with valid hashes."""
    log = EntryLog(MemoryEventStore(), campaign.id, lambda: 0)
    for _, together in groupby(campaign.session.log.entries(), key=lambda entry: entry.correction):
        proposals = []
        for entry in together:
            events = (change(event) for event in entry.events)
            kept = tuple(event for event in events if event is not None)
            proposals.append(envelope(entry)._replace(events=kept))
        log.write(log.scan(), proposals)
    assert chain_of(log).verdict == "VERIFIED"
    return list(log.entries())
