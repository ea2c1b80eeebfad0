"""A campaign that is played through the engine, in which one step may be taken by a changed program.

What the program forges it forges once; everything after it is played honestly, and every receipt is noted during play, so that
hashes and receipts fit a history that was never another one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path

from rollbook.domain.actions.notes import WriteNote
from rollbook.domain.actions.secrets import Reveal
from rollbook.domain.audit.receipts import Receipt
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.corrections.changes import CorrectionOptions
from tests.attacks.forging import Honest
from tests.support.campaigns import begin_campaign, memory_book

Program = Callable[[], AbstractContextManager[object]]
"""A program in which one thing is changed, for as long as it is entered."""

DRAWN = CorrectionOptions(draw=True)


class LivePlay:
    """The campaign, its steps by name in the order in which they are taken, and the receipts that a player noted."""

    def __init__(self, folder: Path) -> None:
        self.campaign = campaign = begin_campaign(memory_book(folder), session=False)
        self.receipts: list[Receipt] = []
        self.stopped: list[str] = []
        campaign.do("take-seat", {"seat": "tuck", "role": "player"})
        campaign.do("join", {"name": "Tuck", "seat": "tuck", "stats": {"max_hp": 9, "skill": 2}})
        self.steps: dict[str, Callable[[], object]] = {
            "first session": lambda: campaign.do("open-session", {"title": "first"}),
            "first line": lambda: campaign.do("entropy", {"text": "3 3 1"}, seat="tuck"),
            "first roll": lambda: campaign.do("roll", {"expression": "1d20", "purpose": "search"}, seat="mira"),
            "first close": lambda: campaign.do("close-session"),
            "session": lambda: campaign.do("open-session", {"title": "second"}),
            "line": lambda: campaign.do("entropy", {"text": "6 2 5 1 4"}, seat="mira"),
            "open note": lambda: campaign.do("note", {"text": "a word to all"}, seat="tuck"),
            "secret": lambda: campaign.do("roll", {"expression": "1d20", "purpose": "omen"}, secret=True),
            "attack": lambda: campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira"),
            "bet": self._bet,
            "amended": self._amended,
            "amended again": lambda: campaign.corrections.amend(self.bet, {"dice": 2}, reason="two").apply(),
            "hide": lambda: campaign.do("hide", {"who": "robin"}, seat="mira"),
            "leap": self._leap,
            "undone": lambda: campaign.corrections.undo(self.leap, reason="no").apply(),
            "again": self._leap,
            "redone": lambda: campaign.corrections.redo(self.bet, revision=1, reason="so").apply(),
            "roll": lambda: campaign.do("roll", {"expression": "2d6", "purpose": "luck"}, seat="mira"),
            "other roll": lambda: campaign.do("roll", {"expression": "1d20", "purpose": "luck"}, seat="tuck"),
            "other secret": lambda: campaign.do("roll", {"expression": "1d20", "purpose": "doom"}, secret=True),
            "real": lambda: campaign.do("roll", {"expression": "1d20", "purpose": "real"}, seat="tuck", dice=(7,)),
            "whisper": self._whisper,
            "reveal": lambda: campaign.play(Reveal(entries=(self.whisper,))),
            "agree": lambda: campaign.do("agree", {"matter": "overrides", "value": "gm"}),
            "token": lambda: campaign.do(
                "gain-token", {"who": "robin"}, seat="mira", reason="a good deed", command="x1"
            ),
            "note": lambda: campaign.do("note", {"text": "to be read by all"}, seat="mira"),
            "inserted": self._inserted,
            "close": lambda: campaign.do("close-session"),
            "first screen": lambda: campaign.do("reveal-screen", {"session": 1}),
            "screen": lambda: campaign.do("reveal-screen", {"session": 2}),
            "last": lambda: campaign.do("note", {"text": "the end"}, seat="tuck"),
        }
        self.bet = self.leap = self.whisper = 0

    def _bet(self) -> None:
        self.bet = self.campaign.do("bet", {"who": "robin", "dice": 1}, seat="mira").action

    def _amended(self) -> None:
        self.campaign.corrections.amend(self.bet, {"dice": 3}, reason="three", options=DRAWN).apply()

    def _leap(self) -> None:
        leap = self.campaign.do("roll", {"expression": "1d20", "purpose": "leap"}, seat="mira").action
        self.leap = self.leap or leap

    def _inserted(self) -> None:
        self.campaign.corrections.insert(self.leap, WriteNote(text="said before the leap"), reason="forgotten").apply()

    def _whisper(self) -> None:
        self.whisper = self.campaign.do("note", {"text": "psst", "to": "mira"}).number

    def play(self, forged: str = "", program: Program = nullcontext) -> LivePlay:
        """Take every step, the ``forged`` one with a changed program. What the program then refuses is noted and left out."""
        is_forged = False
        for name, step in self.steps.items():
            is_forged = is_forged or name == forged
            with ExitStack() as changed:
                if name == forged:
                    changed.enter_context(program())
                try:
                    step()
                except RollbookError as refusal:
                    self.stopped.append(f"{name}: {refusal}")
            if is_forged:
                self.receipts.append(self.campaign.receipt())
        return self

    def noted(self) -> Honest:
        """The history as it lies in the store, and the receipts that were noted."""
        return Honest(tuple(self.campaign.session.log.stored()), tuple(dict.fromkeys(self.receipts)), self.campaign.id)
