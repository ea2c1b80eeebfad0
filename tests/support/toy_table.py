"""A toy campaign without a store, with known session seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Amend, Change, Correction, Proposal, Redo, ThinkAgain, Undo
from rollbook.domain.corrections.preview import preview
from rollbook.domain.dice.ledger import counts, screen_counts
from rollbook.domain.dice.stream import commitment, contribution, mix, session_identity, session_key
from rollbook.domain.dice.supply import DiceNeeded, DiceSupply, NoDice, PhysicalDice, StreamDice
from rollbook.domain.entries import Entry, EntryKind, Intent, RecordedEntry, SecondThought, recorded, without_words
from rollbook.domain.events import DiceRolled, ParameterValue, Scalar
from rollbook.domain.history.history import DRAW, History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import build, intent_of
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.state.campaign_state import CampaignState
from tests.support.dice import rolls
from tests.support.random_steps import ActionStep, RandomSteps, SecondThoughtStep, opening_steps
from tests.support.toy import TOY

CAMPAIGN = bytes(16)
"""The identity of every campaign here."""


class ToyTable:
    """A table without a store: a history, the rules, and dice whose seeds are public."""

    corrector = "Ana"

    def __init__(self, ruleset: Ruleset = TOY, *, people: bool = True) -> None:
        self.ruleset = ruleset
        self.rulebook = Rulebook({ruleset.key: ruleset})
        self.history = History()
        self.start()
        if people:
            for step in opening_steps():
                self.take(step)
            self.open()

    @property
    def state(self) -> CampaignState:
        return self.history.state

    def start(self) -> None:
        intent = Intent(
            verb="start-campaign",
            params={
                "name": "Sherwood",
                "identity": CAMPAIGN.hex(),
                "ruleset": self.ruleset.key,
                "version": self.ruleset.version,
                "settings": {},
            },
        )
        played = self.rulebook.play(self.state, intent, NoDice(), ruleset=self.ruleset)
        self._add(
            Entry(
                EntryKind.TAKEN,
                action=1,
                events=played.events,
                intent=intent,
                ruleset=self.ruleset.key,
                version=self.ruleset.version,
                reads=played.reads,
            )
        )

    def open(self, **more: ParameterValue) -> RecordedEntry:
        """The next session, with the seeds that its number gives."""
        last = self.state.session
        number = last.number + 1 if last else 1
        return self.do("open-session", **session_params(number), **more)

    def close(self) -> RecordedEntry:
        """The session ends, and its seed is shown."""
        session = self.state.session
        assert session is not None
        seed = session_seeds(session.number)[0]
        used = counts(self.history.ledger)
        return self.do("close-session", seed=seed.hex(), counts=used)

    def dice(self, seat: str) -> DiceSupply:
        """The dice of the session that is open."""
        session = self.state.session
        if session is None or not session.is_open:
            return NoDice("No session is open.")
        table, screen = session_seeds(session.number)
        identity = bytes.fromhex(session.identity)
        commits = (bytes.fromhex(session.commit_table), bytes.fromhex(session.commit_screen))
        mixed = mix(commits, [(0, number, contribution(text)) for number, text in session.entropy])
        sitting = self.state.seats.get(seat)
        return StreamDice(
            key_table=session_key(0, identity, table, mixed),
            key_screen=session_key(1, identity, screen, mixed),
            seat=sitting.number if sitting else 0,
            ledger=self.history.ledger,
        )

    def do(
        self,
        verb: str,
        *,
        seat: str = "Ana",
        typed: Iterable[int] | None = None,
        secret: bool = False,
        **params: ParameterValue,
    ) -> RecordedEntry:
        """Take an action."""
        return self.take(
            ActionStep(
                verb=verb, params=params, seat=seat, typed=None if typed is None else tuple(typed), secret=secret
            )
        )

    def take(self, step: ActionStep) -> RecordedEntry:
        """A step of the random play. Raises Refused or NotFound."""
        state = self.state
        kind = self.rulebook.verb(state, step.verb)
        seat = "" if kind.anonymous else step.seat
        dice: DiceSupply = self.dice(seat) if step.typed is None else PhysicalDice(step.typed)
        intent = Intent(verb=step.verb, params=step.params)
        played = self.rulebook.play(state, intent, dice, seat=seat, secret=step.secret)
        done = build(kind, step.params)
        return self._add(
            Entry(
                EntryKind.TAKEN,
                action=self.history.actions + 1,
                events=played.events,
                seat=seat,
                intent=without_words(intent_of(done), played.events),
                actor=played.actor,
                ruleset=self.ruleset.key,
                version=self.ruleset.version,
                reads=played.reads,
                visibility=done.visibility or ("gm" if step.secret else ""),
            )
        )

    def roll(self, expression: str = "1d20", **more: Scalar) -> DiceRolled:
        """Robin rolls."""
        return rolls(self.do("roll", expression=expression, who="robin", **more))[0]

    def hurt(self, who: str, by: int) -> int:
        """Take hit points from a character by a ruling; the number of the action."""
        return self.do("adjust", who=who, what="hp", by=-by, reason="so").action

    def preview(self, changes: Mapping[int, Change], **how: Any) -> Proposal:
        """The proposal of a correction."""
        return preview(
            self.history, Correction(changes=changes, seat=self.corrector, reason="so", **how), self.rulebook
        )

    def preview_drawing(self, changes: Mapping[int, Change], **how: Any) -> Proposal:
        """The same, and whatever dice are missing are drawn from the session and go on record."""
        while True:
            try:
                return self.preview(changes, **how)
            except DiceNeeded as needed:
                self.draw(needed)

    def draw(self, needed: DiceNeeded) -> RecordedEntry:
        """One die for a correction."""
        request = needed.request
        return self.do(
            DRAW,
            secret=request.secret,
            action=needed.action,
            roller=request.roller,
            purpose=request.purpose,
            ordinal=request.ordinal,
            sides=needed.sides,
        )

    def apply(self, made: Proposal) -> list[RecordedEntry]:
        """Append what a preview shows."""
        assert made.base == self.history.head
        return self.add(made.entries)

    def add(self, proposals: Iterable[Entry]) -> list[RecordedEntry]:
        """Append proposals."""
        return [self._add(proposal) for proposal in proposals]

    def undo(self, *actions: int, **how: Any) -> Proposal:
        """Take actions back."""
        return self.corrected(dict.fromkeys(actions, Undo()), **how)

    def redo(self, action: int, revision: int = 0, **how: Any) -> Proposal:
        """Bring an action back."""
        return self.corrected({action: Redo(revision)}, **how)

    def amend(self, action: int, retype: Iterable[int] = (), /, **params: ParameterValue) -> Proposal:
        """Change an action."""
        return self.corrected({action: Amend(params, tuple(retype))})

    def second_thought(self, kind: str = "reroll") -> Proposal:
        """A second thought on the last action that counts."""
        last = max((number for number, entry in self.history.outcomes() if entry is not None), default=0)
        return self.corrected({last: ThinkAgain(SecondThought(kind=kind))}, dice=self.dice("Ana"))

    def corrected(self, changes: Mapping[int, Change], **how: Any) -> Proposal:
        """A correction that is previewed and applied."""
        made = self.preview(changes, **how)
        self.apply(made)
        return made

    def _add(self, proposal: Entry) -> RecordedEntry:
        entry = recorded(proposal, self.history.head + 1)
        self.history.add(entry)
        return entry


def lost(state: CampaignState, who: str) -> int:
    """The hit points that a character has lost."""
    return state.characters[who].lost


def session_seeds(session: int) -> tuple[bytes, bytes]:
    """The two secrets of a session: known to every test."""
    return bytes([session, 1] * 16), bytes([session, 2] * 16)


def session_params(session: int) -> dict[str, str]:
    """Commitments of an open-session action."""
    nonce = bytes([session]) * 16
    identity = session_identity(CAMPAIGN, nonce)
    table, screen = (commitment(cls, identity, seed).hex() for cls, seed in enumerate(session_seeds(session)))
    return {"identity": identity.hex(), "nonce": nonce.hex(), "commit_table": table, "commit_screen": screen}


def play_random_steps(table: ToyTable, chance: RandomSteps, steps: int, *, corrections: float = 0.25) -> None:
    """So many random steps; what is refused is left."""
    for _ in range(steps):
        step = chance.step(table.history, corrections=corrections)
        try:
            if isinstance(step, ActionStep):
                table.take(step)
            elif isinstance(step, SecondThoughtStep):
                table.second_thought(step.thought.kind)
            elif step.changes:
                how = {"stand": step.stand, "orphans": step.orphans}
                table.apply(table.preview_drawing(step.changes, **how))
        except (Refused, NotFound, DiceNeeded):
            continue


def grant_dice(table: ToyTable, action: int, *, screen: bool = False, why: str = "a new player") -> None:
    """Grant dice with the places that the engine fills in."""
    places = table.history.ledger.waiting_of(table.history.dice_of(action), screen=screen)
    table.do("grant-dice", action=action, why=why, screen=screen, session=1, places=places)


def close_and_reveal(table: ToyTable) -> None:
    """The session is closed, and both its seeds are shown."""
    table.close()
    number = table.state.session.number  # type: ignore[union-attr]
    events = (event for entry in table.history.entries for event in entry.events)
    used = screen_counts(events, number)
    table.do("reveal-screen", session=number, seed=session_seeds(number)[1].hex(), counts=used)
