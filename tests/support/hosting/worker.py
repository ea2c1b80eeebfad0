"""A node without pages: a process that plays on a store as a client asks it to, and can be killed at any moment.

``python -m tests.support.hosting.worker SETTINGS`` with SETTINGS as JSON. What it is about to do and what was acknowledged goes
line by line into a file, so that the next process goes on with the command whose answer was lost, under the same id.
"""

from __future__ import annotations

import faulthandler
import json
import random
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any, TextIO

import attrs

from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.ports.deadline import command_deadline
from rollbook.domain.base.errors import RollbookError
from tests.support.hosting.ledger import Asked, Ledger

PAUSE = 0.1
"""Seconds at most after a try that was no success."""
HEALED_WITHIN = 30.0
"""Seconds for which a process that is told to stop goes on with a command that was not acknowledged yet."""
PROJECTED_EVERY = 0.1
"""The part of the commands after which the read model is brought up to date."""


@attrs.define
class Worker:
    """Player: a seat in some campaigns, the file of its commands, and a book that is opened when it is needed."""

    store: str
    seeds: str
    seat: str
    campaigns: list[str]
    file: str
    pause: float = 0.0
    corrects: bool = True
    _book: Book | None = None
    _log: TextIO | None = None
    _is_told: bool = False
    _until: float = 0.0
    _chance: random.Random = attrs.field(factory=random.Random)
    _joined: dict[str, tuple[int, str, int]] = attrs.field(factory=dict)

    def run(self) -> None:
        """Go on with what was begun, then play until told to stop."""
        faulthandler.register(signal.SIGUSR1)
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        begun = read_ledger([Path(self.file)])
        number = len(begun.asked)
        with Path(self.file).open("a", buffering=1, encoding="utf-8") as self._log:
            for one in begun.unanswered:
                self._carry_out(one)
            while not self._is_told:
                number += 1
                one = self._next(number)
                self._note("ask", one.id, one.campaign, one.seat, one.line, one.mark, one.parts, time.monotonic())
                self._carry_out(one)
                time.sleep(self.pause)
        if self._book is not None:
            self._book.close()

    def _stop(self, *_: object) -> None:
        self._is_told, self._until = True, time.monotonic() + HEALED_WITHIN

    def _note(self, *words: object) -> None:
        assert self._log is not None
        self._log.write(json.dumps(words) + "\n")

    def _next(self, number: int) -> Asked:
        """The next command: notes and rolls, and now and then a character who comes in, is hurt, and is undone."""
        id_ = f"{self.seat}-{number:06d}"
        campaign = self._chance.choice(self.campaigns)
        begun = self._joined.pop(campaign, None)
        if begun is not None:
            action, name, hurt = begun
            if hurt == 2:
                return self._asked(id_, campaign, f"undo {action} --why {id_}", mark=id_, parts=3)
            self._joined[campaign] = (action, name, hurt + 1)
            return self._asked(id_, campaign, f"harm {name} 1")
        kind = self._chance.random()
        if kind < 0.1 and self.corrects:
            return self._asked(id_, campaign, f"join N{id_} --kind npc --hp 8")
        line = f"note {id_}" if kind < 0.5 else f"roll 1d20 --purpose {id_}"
        return self._asked(id_, campaign, line, mark=id_)

    def _asked(self, id_: str, campaign: str, line: str, *, mark: str = "", parts: int = 0) -> Asked:
        return Asked(id_, campaign, self.seat, line, mark, time.monotonic(), parts=parts)

    def _carry_out(self, one: Asked) -> None:
        """Say a command until it is acknowledged. Whatever is no refusal in a sentence is noted with its trace."""
        while True:
            began = time.monotonic()
            try:
                by_gm = one.line.startswith(("undo", "join", "harm"))
                with command_deadline():
                    campaign = self._opened(one.campaign)
                    said = campaign.say(one.line, seat=None if by_gm else one.seat, command=one.id)
                numbers = [entry.number for entry in said.entries]
                self._note("ack", one.id, numbers, time.monotonic(), time.monotonic() - began)
                if one.line.startswith("join"):
                    self._joined[one.campaign] = (said.entries[0].action, f"n{one.id}".casefold(), 0)
                if self._chance.random() < PROJECTED_EVERY:
                    campaign.session.project()
            except RollbookError as fault:
                self._note("no", one.id, type(fault).__name__, str(fault), time.monotonic() - began)
            except Exception as fault:  # noqa: BLE001 - whatever a store lets out is a finding
                self._note("raised", one.id, type(fault).__name__, traceback.format_exc(), time.monotonic() - began)
            else:
                return
            if self._is_told and time.monotonic() > self._until:
                return
            time.sleep(PAUSE * self._chance.random())

    def _opened(self, campaign: str) -> Campaign:
        if self._book is None:
            store = self.store if "://" in self.store else Path(self.store)
            self._book = open_book(store, Path(self.seeds), create=False)  # type: ignore[arg-type]
        return self._book.campaign(campaign)


def read_ledger(files: list[Path]) -> Ledger:
    """Read the ledger from such files, of which the last line may be cut off."""
    ledger = Ledger()
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            try:
                kind, *rest = json.loads(line)
            except ValueError:
                continue
            _take(ledger, kind, rest)
    return ledger


def _take(ledger: Ledger, kind: str, rest: list[Any]) -> None:
    if kind == "ask":
        id_, campaign, seat, line, mark, parts, first = rest
        ledger.ask(Asked(id_, campaign, seat, line, mark, first, parts=parts))
        return
    one = ledger.asked[rest[0]]
    one.tries += 1
    if kind == "ack":
        _, numbers, at, seconds = rest
        ledger.acknowledge(one, seconds, tuple(numbers))
        one.acknowledged = at
        return
    _, name, said, seconds = rest
    ledger.answered(f"{'!! ' if kind == 'raised' else ''}{name}: {said if kind == 'raised' else said[:150]}", seconds)


if __name__ == "__main__":
    Worker(**json.loads(sys.argv[1])).run()
