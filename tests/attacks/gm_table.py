"""A table at which the GM may do anything that the program lets them do, and that can be copied to try out what comes next.

The real engine throughout. It is in memory until an older copy of the store is put back, which takes files: then all that was
done is done again in a store on the disk, with rollbook's own backup, and put back with its own restore.
"""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Self

import attrs

from rollbook.adapters.backups.backing_up import make_backup
from rollbook.adapters.backups.restoring import restore
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.wiring import book_of
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.registry import RulesetRegistry
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.dice.ledger import places_of
from rollbook.domain.events import Role
from tests.support.campaigns import CLOCK_START, KnownSeeds, begin_campaign, file_book, ticking_clock
from tests.support.memory_store import MemoryEventStore
from tests.support.timelines import forked
from tests.support.toy import TOY

Command = tuple[str, ...]
Commands = tuple[Command, ...]
ATTACK, OTHER = "attack", "search"
GM, PLAYER = "Ana", "mira"
FRESH = "fresh "
"""How a player's honest line begins; what follows is new each time, and nobody could foresee it."""


class BranchingStore(MemoryEventStore):
    """A store in memory that can be copied as it is, under its identity."""

    def branch(self) -> BranchingStore:
        other = copy.copy(self)
        other._streams = {stream: list(entries) for stream, entries in self._streams.items()}
        other._markers, other._order, other._turn = dict(self._markers), list(self._order), Lock()
        return other


@attrs.define
class GMTable:
    """A campaign after the commands ``path``. ``late`` are the players whom the GM seated since the session was opened.

    ``asked`` counts the lines that the honest player ever said, whether or not the store still knows of them. Attacks and other
    rolls are one die with so many ``sides``. A table ``is_open`` if it begins with an open session.
    """

    folder: Path
    sides: int
    is_open: bool
    book: Book
    path: Commands = ()
    late: tuple[str, ...] = ()
    asked: int = 0
    seated: int = 0
    campaign: Campaign = attrs.field(init=False)
    setup: int = attrs.field(init=False, default=0)
    is_closed: bool = attrs.field(init=False, default=False)

    @classmethod
    def begun(cls, folder: Path, sides: int, *, is_open: bool, in_files: bool = False) -> Self:
        """A new campaign with a GM and a player."""
        folder.mkdir()
        store = None if in_files else BranchingStore()
        book = file_book(folder) if store is None else _book(folder, store, SQLiteReadModel())
        campaign = begin_campaign(book, session=is_open)
        table = cls(folder, sides, is_open, book)
        table.campaign, table.setup = campaign, campaign.head.actions
        table.look()
        return table

    @property
    def in_files(self) -> bool:
        return not isinstance(self.book.store, BranchingStore)

    def branch(self, folder: Path) -> GMTable:
        """The same table once more, in a folder of its own."""
        if self.in_files:
            self.close()
            shutil.copytree(self.folder, folder)
            book = file_book(folder, clock=_later(self.path))
        else:
            shutil.copytree(self.folder, folder)
            assert isinstance(self.book.store, BranchingStore)
            book = _book(folder, self.book.store.branch(), self.book.read_model, len(self.path))
            _hand_on(self.campaign, book)
        other = GMTable(folder, self.sides, self.is_open, book, self.path, self.late, self.asked, self.seated)
        other.campaign, other.setup = book.campaign("sherwood"), self.setup
        return other

    def close(self) -> None:
        """Close its files until the next command. What is in memory shares a read model, in which there is nothing."""
        if self.in_files and not self.is_closed:
            self.book.close()
            self.is_closed = True

    def open_again(self) -> None:
        """Go on with what is in the files now."""
        self.book = file_book(self.folder, clock=_later(self.path))
        self.campaign = self.book.campaign("sherwood")
        self.is_closed = False

    def look(self) -> None:
        """Show what there is, as every command of the program does in the end: so the computer has seen it."""
        if self.in_files:
            self.campaign.session.project()

    # Who may do what.

    def hands(self) -> list[str]:
        """Who rolls for the GM: GMs, those whom the GM seated since the opening, and the GM who has no seat."""
        seats = self.campaign.state.seats.values()
        own = [s for s in seats if s.present and (s.role is Role.GM or (s.name in self.late and s.role is Role.PLAYER))]
        nobody = [] if any(s.number == 0 and s.role is Role.GM for s in own) else [""]
        return [*(s.name for s in own), *nobody]

    def commands(self) -> Iterator[Command]:
        """All that may be tried; the engine refuses what cannot be done now."""
        session = self.campaign.state.session
        is_open = session is not None and session.is_open
        if not is_open:
            yield ("open",)
        else:
            yield from (("attack", hand) for hand in self.hands())
            yield from (("other",), ("line", "gm"), ("line", PLAYER))
            if self.late:
                yield ("line", self.late[-1])
            yield from (("close",), ("grant",), ("fork",))
        yield from (("undo", "1"), ("seat", Role.GM.value), ("seat", Role.PLAYER.value), ("swap", GM))
        if self.seated:
            yield ("swap", _name(self.seated))

    # Commands.

    def do(self, command: Command) -> bool:
        """Do it. Whether it was done; if not, it was refused and nothing happened."""
        what, *more = command
        if self.is_closed:
            self.open_again()
        try:
            getattr(self, f"_{what}")(*more)
        except (Refused, NotFound):
            return False
        self.path = (*self.path, command)
        self.look()
        return True

    def _open(self) -> None:
        self.campaign.do("open-session")
        self.late = ()

    def _close(self) -> None:
        self.campaign.do("close-session")

    def _line(self, whose: str) -> None:
        if whose == "gm":
            self.campaign.do("entropy", text="the GM's own")
            return
        text = f"{FRESH}{self.asked + 1}" if whose == PLAYER else "chosen"
        self.campaign.do("entropy", {"text": text}, seat=whose)
        self.asked += whose == PLAYER

    def _seat(self, role: str) -> None:
        name = _name(self.seated + 1)
        self.campaign.do("take-seat", {"seat": name, "role": role})
        self.seated += 1
        self._is_late(name)

    def _swap(self, name: str) -> None:
        """Leave, and come back with the other role."""
        seat = self.campaign.state.seats.get(name)
        if seat is None:
            raise Refused(f"{name} has not taken a seat.")
        self.campaign.do("leave-seat", {"seat": name})
        role = Role.PLAYER if seat.role is Role.GM else Role.GM
        self.campaign.do("take-seat", {"seat": name, "role": role.value})
        self._is_late(name)

    def _is_late(self, name: str) -> None:
        session = self.campaign.state.session
        is_player = self.campaign.state.seats[name].role is Role.PLAYER
        others = tuple(late for late in self.late if late != name)
        is_late = is_player and session is not None and session.is_open
        self.late = (*others, name) if is_late else others

    def _attack(self, hand: str) -> None:
        self._roll(ATTACK, hand)

    def _other(self) -> None:
        self._roll(OTHER, None)

    def _roll(self, purpose: str, hand: str | None) -> None:
        who = "" if hand in self.late else "guard"
        self.campaign.do("roll", {"expression": f"1d{self.sides}", "who": who, "purpose": purpose}, seat=hand)

    def _undo(self, which: str) -> None:
        self.campaign.corrections.undo(self._nth(which, undone=False), reason="so").apply()

    def _redo(self, which: str) -> None:
        self.campaign.corrections.redo(self._nth(which, undone=True), reason="so").apply()

    def _nth(self, which: str, *, undone: bool) -> int:
        """The number of an action since the beginning, counted from the last one of those that are undone, or are not."""
        history = self.campaign.history
        found = [action for action, entry in history.outcomes(self.setup + 1) if (entry is None) is undone]
        if len(found) < int(which):
            raise Refused("There is no such action.")
        return found[-int(which)]

    def _grant(self) -> None:
        history = self.campaign.history
        undone = (action for action, entry in history.outcomes(self.setup + 1) if entry is None)
        rolls = [action for action in undone if any(True for _ in places_of(history.latest_outcome(action).events))]
        if not rolls:
            raise Refused("Nothing was undone.")
        self.campaign.do("grant-dice", action=rolls[-1], why="so")

    def _fork(self) -> None:
        """A timeline, and the attack there."""
        timeline = forked(self.book, self.campaign)
        with suppress(Refused):
            roll = {"expression": f"1d{self.sides}", "who": "guard", "purpose": ATTACK}
            timeline.do("roll", roll)

    # An older copy.

    def _backup(self) -> None:
        make_backup(self.book.store, self.book.seeds, self.folder / "copy.db", overwrite=True)  # type: ignore[arg-type]

    def _restore(self) -> None:
        if not (self.folder / "copy.db").exists():
            raise Refused("There is no copy.")
        self.close()
        restore(self.folder / "rollbook.db", KnownSeeds(self.folder / "seeds"), self.folder / "copy.db")
        self.open_again()


def put_back(table: GMTable, after: int, folder: Path) -> GMTable:
    """A table in files, of which a backup was made ``after`` so many commands and is put back now."""
    other = GMTable.begun(folder, table.sides, is_open=table.is_open, in_files=True)
    for command in (*table.path[:after], ("backup",), *table.path[after:], ("restore",)):
        if not other.do(command):
            raise AssertionError(f"{command} was done before, and is refused when it is done again: {table.path}")
    return other


def _book(folder: Path, store: MemoryEventStore, read_model: SQLiteReadModel, commands: int = 0) -> Book:
    clock = ticking_clock(CLOCK_START + commands * 10**9)
    return book_of(store, read_model, KnownSeeds(folder / "seeds"), RulesetRegistry({TOY.key: TOY}), clock)


def _hand_on(campaign: Campaign, book: Book) -> None:
    """Open a campaign in another book that has it up to the same entry: what was read and checked is not read again."""
    known = campaign.session.history
    head = attrs.evolve(known.head, ledger=known.head.ledger.copy())
    history = known.load().until(head.entry)
    history.begin_at(head.state, head.ledger)
    other = book._session(book._log(book.store, campaign.id), book.read_model)
    other.session.history._head, other.session.history._history = head, history
    book._open[campaign.id] = other


def _later(path: Commands) -> Callable[[], int]:
    """A clock that is later than all that was done."""
    return ticking_clock(CLOCK_START + (len(path) + 1) * 10**9)


def _name(number: int) -> str:
    return f"Guest {number}"
