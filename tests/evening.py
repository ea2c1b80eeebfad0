"""An evening of the toy, played at random: what is done next, and a table without a store to do it at.

Everything comes out of one seeded ``random.Random``, so a campaign that goes wrong can be played again by its number.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from domain.campaign import Campaign
from domain.corrections import (
    Amend,
    Change,
    Correction,
    Intervene,
    Orphans,
    Preview,
    Proposal,
    Restore,
    Void,
    preview,
)
from domain.dice.stream import commitment, contribution, mix, session_key
from domain.dice_ledger import counts
from domain.dice_supply import DiceNeeded, DiceSupply, NoDice, PhysicalDice, StreamDice
from domain.errors import NotFound, Refused
from domain.events import ActionTaken, Intent, Intervention, Resolved, Scalar
from domain.history import DRAW, Entry, History
from domain.rulebook import Rulebook
from domain.ruleset import Ruleset
from domain.verbs import build, intent_of
from tests.toy import TOY

PEOPLE = ("robin", "marian", "guard", "tuck")
TRAITS = ("loyal", "brave", "sly")
OFTEN = ("attack",) * 6 + ("heal", "bet", "spend-token", "worry", "trait", "recite", "sprint", "next-turn") * 2
NARROW = ("adjust", "trait", "trait", "recite", "worry", "worry", "attack", "gain-token", "spend-token", "bet")
"""Few verbs that hang together, so that corrections cross one another."""


@attrs.frozen(kw_only=True)
class Do:
    """Somebody acts."""

    verb: str
    params: Mapping[str, Scalar] = attrs.field(factory=dict)
    seat: str = "Ana"
    typed: tuple[int, ...] | None = None
    secret: bool = False


@attrs.frozen(kw_only=True)
class Correct:
    """The GM corrects."""

    changes: Mapping[int, Change]
    stand: bool = False
    orphans: Orphans = Orphans.VOID


@attrs.frozen
class Think:
    """A second thought on the last action."""

    thought: Intervention


Step = Do | Correct | Think


def opening() -> list[Do]:
    """How every evening begins, after the campaign has: seats and people. The session is opened by whoever plays."""
    joins = [
        {"name": "Robin", "seat": "mira", "stats": ("max_hp=12", "skill=3")},
        {"name": "Marian", "stats": ("max_hp=9", "skill=4")},
        {"name": "Guard", "kind": "npc", "stats": ("max_hp=7", "skill=1")},
    ]
    return [
        Do(verb="take-seat", params={"seat": "Ana", "role": "gm"}, seat=""),
        Do(verb="take-seat", params={"seat": "mira"}),
        Do(verb="take-seat", params={"seat": "watcher", "role": "spectator"}),
        *(Do(verb="join", params=params) for params in joins),
    ]


class Chance:
    """What happens next at a table."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.mixed = seed % 2 == 0

    def step(self, history: History, *, corrections: float = 0.25) -> Step:
        """Something that may happen now; it may also be refused."""
        chance = self.random
        if chance.random() < corrections:
            return self.correction(history)
        if chance.random() < 0.1:
            return Think(Intervention(kind="reroll"))
        return self.deed()

    def who(self) -> str:
        return self.random.choice(PEOPLE)

    def deed(self) -> Do:
        chance = self.random
        who = self.who()
        number = chance.randint(1, 3)
        verbs: dict[str, dict[str, Scalar]] = {
            "attack": {"attacker": who, "target": self.who(), "weapon": chance.choice(("club", "sword"))},
            "heal": {"who": who, "dice": number},
            "gain-token": {"who": who},
            "spend-token": {"who": who},
            "doom": {},
            "second-wind": {"who": who},
            "look-up": {},
            "worry": {"who": who},
            "recite": {"who": who},
            "hide": {"who": who},
            "bet": {"who": who, "dice": number},
            "fight": {"who": tuple(chance.sample(PEOPLE[:3], 3))},
            "next-turn": {},
            "sprint": {"who": who, "up": chance.random() < 0.5},
            "peace": {},
            "join": {"name": "Tuck", "stats": ("max_hp=20",)},
            "trait": {"who": who, "trait": chance.choice(TRAITS), "lose": chance.random() < 0.4},
            "adjust": {
                "who": who,
                "what": chance.choice(("hp", "skill", "pool:tokens")),
                "by": chance.randint(-6, 6),
                "reason": "so",
            },
            "pass-time": {"amount": chance.randint(1, 9), "unit": chance.choice(("minutes", "hours")), "rest": True},
            "award": {"who": chance.choice((("party",), (who,))), "amount": chance.choice((30, 70, 150))},
            "scene": {"title": "the road"},
            "note": {"text": "words", "to": chance.choice(("table", "gm", "mira"))},
            "roll": {"expression": chance.choice(("1d6", "2d20kh1", "3d6 + 1")), "who": who},
            "give": {"who": who, "item": chance.choice(("rope", "torch")), "count": number},
            "drop": {"who": who, "item": chance.choice(("rope", "torch"))},
            "leave": {"who": "tuck"},
            "lend": {"who": "guard", "to": chance.choice(("mira", "gm"))},
            "x-card": {},
            "after-x-card": {"how": "resume"},
        }
        verb = chance.choice((*verbs, *OFTEN) if self.mixed else NARROW)
        typed = None
        if chance.random() < 0.3 and verb in ("heal", "bet"):
            typed = tuple(chance.randint(1, 4) for _ in range(number))
        seat = chance.choice(("Ana", "Ana", "Ana", "mira"))
        return Do(verb=verb, params=verbs[verb], seat=seat, typed=typed, secret=chance.random() < 0.05)

    def correction(self, history: History) -> Correct:
        chance = self.random
        several = chance.choice((1, 1, 1, 2, 3))
        changes = {}
        for _ in range(several):
            action = chance.randint(max(1, history.actions - 25), history.actions)
            change = self.change(history, action)
            if change is not None:
                changes[action] = change
        return Correct(
            changes=changes,
            stand=chance.random() < 0.15,
            orphans=chance.choice((Orphans.VOID, Orphans.KEEP)),
        )

    def change(self, history: History, action: int) -> Change | None:
        chance = self.random
        counts = history.effective(action)
        outcomes = [entry for entry in history.revisions(action) if isinstance(entry.header, Resolved)]
        if counts is None:
            return Restore(chance.choice((0, 0, chance.choice(outcomes).header.revision)))
        if len(outcomes) > 1 and chance.random() < 0.3:
            return Restore(chance.choice(outcomes).header.revision)
        if chance.random() < 0.4:
            return Void()
        return self.amendment(outcomes[-1], history)

    def amendment(self, outcome: Entry, history: History) -> Change | None:
        chance = self.random
        assert isinstance(outcome.header, Resolved)
        intent = outcome.header.intent
        number = chance.randint(1, 4)
        verb = intent.verb
        if verb in ("bet", "heal") and _is_typed(history, outcome.header.action) and chance.random() < 0.5:
            many = intent.params["dice"]
            assert isinstance(many, int)
            return Amend({}, tuple(chance.randint(1, 4) for _ in range(many)))
        other: dict[str, dict[str, Scalar]] = {
            "attack": chance.choice(({"weapon": "sword"}, {"weapon": "club"}, {"target": self.who()})),
            "heal": {"dice": number},
            "bet": {"dice": number},
            "adjust": {"by": chance.randint(-6, 6)},
            "award": {"amount": chance.choice((10, 100, 220))},
            "pass-time": {"amount": number},
            "join": {"stats": (f"max_hp={number * 4}", f"skill={number}")},
            "trait": {"trait": chance.choice(TRAITS)},
            "note": {"to": chance.choice(("table", "gm"))},
            "roll": {"expression": chance.choice(("1d6", "2d6", "1d20 + 5"))},
        }
        return Amend(other[verb]) if verb in other else None


def _is_typed(history: History, action: int) -> bool:
    sources = [s for facts in history.dice_of(action) for fact in facts for s in getattr(fact, "sources", ())]
    return bool(sources) and all(source.kind == "physical" for source in sources)


class Evening:
    """A table without a store: a history, the rules, and dice whose seeds everybody may know."""

    def __init__(self, ruleset: Ruleset = TOY, *, people: bool = True) -> None:
        self.ruleset = ruleset
        self.rulebook = Rulebook({ruleset.key: ruleset})
        self.history = History()
        self.start()
        if people:
            for step in opening():
                self.take(step)
            self.open()

    @property
    def state(self) -> Campaign:
        return self.history.state

    def start(self) -> None:
        intent = Intent(
            verb="start-campaign",
            params={
                "name": "Sherwood",
                "identity": "00" * 16,
                "ruleset": self.ruleset.key,
                "version": self.ruleset.version,
                "settings": (),
            },
        )
        played = self.rulebook.play(self.state, intent, NoDice(), ruleset=self.ruleset)
        self._add(
            ActionTaken(
                action=1, intent=intent, ruleset=self.ruleset.key, version=self.ruleset.version, reads=played.reads
            ),
            played.facts,
        )

    def open(self, **more: Scalar) -> Entry:
        """The next session, with the seeds that its number gives."""
        last = self.state.session
        number = last.number + 1 if last else 1
        return self.do("open-session", **session_of(number), **more)

    def close(self) -> Entry:
        """The session ends, and its seed is shown."""
        session = self.state.session
        assert session is not None
        seed = seeds_of(session.number)[0]
        used = tuple(f"{counter}={many}" for counter, many in counts(self.history.ledger).items())
        return self.do("close-session", seed=seed.hex(), counts=used)

    def dice(self, seat: str) -> DiceSupply:
        """The dice of the session that is open."""
        session = self.state.session
        if session is None or not session.is_open:
            return NoDice("No session is open.")
        table, screen = seeds_of(session.number)
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
        **params: Scalar,
    ) -> Entry:
        """Somebody acts."""
        return self.take(
            Do(verb=verb, params=params, seat=seat, typed=None if typed is None else tuple(typed), secret=secret)
        )

    def take(self, step: Do) -> Entry:
        """A step of the random play. Raises Refused or NotFound."""
        state = self.state
        kind = self.rulebook.verb(state, step.verb)
        seat = "" if kind.anonymous else step.seat
        dice: DiceSupply = self.dice(seat) if step.typed is None else PhysicalDice(step.typed)
        intent = Intent(verb=step.verb, params=step.params)
        played = self.rulebook.play(state, intent, dice, seat=seat, secret=step.secret)
        done = build(kind, step.params)
        header = ActionTaken(
            action=self.history.actions + 1,
            seat=seat,
            intent=intent_of(done),
            ruleset=self.ruleset.key,
            version=self.ruleset.version,
            reads=played.reads,
            visibility=done.visibility or ("gm" if step.secret else ""),
        )
        return self._add(header, played.facts)

    def preview(self, changes: Mapping[int, Change], **how: Any) -> Preview:
        """What a correction would do."""
        return preview(self.history, Correction(changes=changes, seat="Ana", reason="so", **how), self.rulebook)

    def preview_drawing(self, changes: Mapping[int, Change], **how: Any) -> Preview:
        """The same, and whatever dice are missing are drawn from the session and go on record."""
        while True:
            try:
                return self.preview(changes, **how)
            except DiceNeeded as needed:
                self.draw(needed)

    def draw(self, needed: DiceNeeded) -> Entry:
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

    def apply(self, made: Preview) -> list[Entry]:
        """Append what a preview shows."""
        assert made.base == self.history.head
        return self.add(made.proposals)

    def add(self, proposals: Iterable[Proposal]) -> list[Entry]:
        """Append proposals."""
        return [self._add(proposal.header, proposal.facts) for proposal in proposals]

    def undo(self, *actions: int, **how: Any) -> Preview:
        """Take actions back."""
        return self.corrected(dict.fromkeys(actions, Void()), **how)

    def redo(self, action: int, revision: int = 0, **how: Any) -> Preview:
        """Bring an action back."""
        return self.corrected({action: Restore(revision)}, **how)

    def amend(self, action: int, retype: Iterable[int] = (), /, **params: Scalar) -> Preview:
        """Change an action."""
        return self.corrected({action: Amend(params, tuple(retype))})

    def think(self, kind: str = "reroll") -> Preview:
        """A second thought on the last action that counts."""
        last = max((number for number, entry in self.history.outcomes() if entry is not None), default=0)
        return self.corrected({last: Intervene(Intervention(kind=kind))}, dice=self.dice("Ana"))

    def corrected(self, changes: Mapping[int, Change], **how: Any) -> Preview:
        """A correction that is previewed and applied."""
        made = self.preview(changes, **how)
        self.apply(made)
        return made

    def _add(self, header: Any, facts: Iterable[Any]) -> Entry:
        entry = Entry(self.history.head + 1, header, tuple(facts))
        self.history.add(entry)
        return entry


def seeds_of(session: int) -> tuple[bytes, bytes]:
    """The two secrets of a session: known to every test."""
    return bytes([session, 1] * 16), bytes([session, 2] * 16)


def session_of(session: int) -> dict[str, str]:
    """What opening a session commits to."""
    identity = bytes([session]) * 16
    table, screen = (commitment(cls, identity, seed).hex() for cls, seed in enumerate(seeds_of(session)))
    return {"identity": identity.hex(), "commit_table": table, "commit_screen": screen}


def play_on(evening: Evening, chance: Chance, steps: int, *, corrections: float = 0.25) -> None:
    """So many random steps; what is refused is left."""
    for _ in range(steps):
        step = chance.step(evening.history, corrections=corrections)
        try:
            if isinstance(step, Do):
                evening.take(step)
            elif isinstance(step, Think):
                evening.think(step.thought.kind)
            elif step.changes:
                how = {"stand": step.stand, "orphans": step.orphans}
                evening.apply(evening.preview_drawing(step.changes, **how))
        except (Refused, NotFound, DiceNeeded):
            continue
