"""Random steps of a toy campaign: actions, corrections and second thoughts, from one seed."""

from __future__ import annotations

import random
from collections.abc import Mapping

import attrs

from rollbook.domain.corrections.changes import Amend, Change, Orphans, Redo, Undo
from rollbook.domain.entries import RecordedEntry, SecondThought
from rollbook.domain.events import ParameterValue
from rollbook.domain.history.history import History
from rollbook.domain.history.secrecy import EVERYBODYS

PEOPLE = ("robin", "marian", "guard", "tuck")
TRAITS = ("loyal", "brave", "sly")
FREQUENT_VERBS = ("attack",) * 6 + ("heal", "bet", "spend-token", "worry", "trait", "recite", "sprint", "next-turn") * 2
ENTANGLED_VERBS = ("adjust", "trait", "trait", "recite", "worry", "worry", "attack", "gain-token", "spend-token", "bet")
"""Few verbs that hang together, so that corrections cross one another."""


@attrs.frozen(kw_only=True)
class ActionStep:
    """Take an action."""

    verb: str
    params: Mapping[str, ParameterValue] = attrs.field(factory=dict)
    seat: str = "Ana"
    typed: tuple[int, ...] | None = None
    secret: bool = False


@attrs.frozen(kw_only=True)
class CorrectionStep:
    """The GM corrects."""

    changes: Mapping[int, Change]
    stand: bool = False
    orphans: Orphans = Orphans.UNDO


@attrs.frozen
class SecondThoughtStep:
    """A second thought on the last action."""

    thought: SecondThought


Step = ActionStep | CorrectionStep | SecondThoughtStep


def opening_steps() -> list[ActionStep]:
    """The first steps of every campaign: seats and characters. The player opens the session."""
    joins = [
        {"name": "Robin", "seat": "mira", "stats": {"max_hp": 12, "skill": 3}},
        {"name": "Marian", "stats": {"max_hp": 9, "skill": 4}},
        {"name": "Guard", "kind": "npc", "stats": {"max_hp": 7, "skill": 1}},
    ]
    return [
        ActionStep(verb="take-seat", params={"seat": "Ana", "role": "gm"}, seat=""),
        ActionStep(verb="take-seat", params={"seat": "mira"}),
        ActionStep(verb="take-seat", params={"seat": "watcher", "role": "spectator"}),
        *(ActionStep(verb="join", params=params) for params in joins),
    ]


class RandomSteps:
    """Source of random next steps at a table."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.mixed = seed % 2 == 0

    def step(self, history: History, *, corrections: float = 0.25) -> Step:
        """Something that may happen now; it may also be refused."""
        chance = self.random
        if chance.random() < corrections:
            return self.correction(history)
        if chance.random() < 0.1:
            return SecondThoughtStep(SecondThought(kind="reroll"))
        return self.deed()

    def who(self) -> str:
        return self.random.choice(PEOPLE)

    def deed(self) -> ActionStep:
        chance = self.random
        who = self.who()
        number = chance.randint(1, 3)
        verbs: dict[str, dict[str, ParameterValue]] = {
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
            "join": {"name": "Tuck", "stats": {"max_hp": 20}},
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
            "meanwhile": {"title": ("the roof", "the cellar", "the road")[number - 1]},
            "cut-to": {"scene": ("the roof", "the road", "robin")[number - 1]},
            "note": {"text": "words", "to": chance.choice(("table", "gm", "mira"))},
            "roll": {"expression": chance.choice(("1d6", "2d20kh1", "3d6 + 1")), "who": who},
            "give": {"who": who, "item": chance.choice(("rope", "torch")), "count": number},
            "drop": {"who": who, "item": chance.choice(("rope", "torch"))},
            "leave": {"who": "tuck"},
            "lend": {"who": "guard", "to": chance.choice(("mira", "gm"))},
            "x-card": {},
            "after-x-card": {"how": "resume"},
        }
        verb = chance.choice((*verbs, *FREQUENT_VERBS) if self.mixed else ENTANGLED_VERBS)
        typed = None
        if chance.random() < 0.3 and verb in ("heal", "bet"):
            typed = tuple(chance.randint(1, 4) for _ in range(number))
        seat = chance.choice(("Ana", "Ana", "Ana", "mira"))
        secret = chance.random() < 0.05 and verb not in EVERYBODYS
        return ActionStep(verb=verb, params=verbs[verb], seat=seat, typed=typed, secret=secret)

    def correction(self, history: History) -> CorrectionStep:
        chance = self.random
        several = chance.choice((1, 1, 1, 2, 3))
        changes = {}
        for _ in range(several):
            action = chance.randint(max(1, history.actions - 25), history.actions)
            change = self.change(history, action)
            if change is not None:
                changes[action] = change
        return CorrectionStep(
            changes=changes, stand=chance.random() < 0.15, orphans=chance.choice((Orphans.UNDO, Orphans.KEEP))
        )

    def change(self, history: History, action: int) -> Change | None:
        chance = self.random
        counts = history.effective(action)
        outcomes = [entry for entry in history.revisions(action) if entry.is_outcome]
        if counts is None:
            return Redo(chance.choice((0, 0, chance.choice(outcomes).revision)))
        if len(outcomes) > 1 and chance.random() < 0.3:
            return Redo(chance.choice(outcomes).revision)
        if chance.random() < 0.4:
            return Undo()
        return self.amendment(outcomes[-1], history)

    def amendment(self, outcome: RecordedEntry, history: History) -> Change | None:
        chance = self.random
        intent = outcome.intent
        number = chance.randint(1, 4)
        verb = intent.verb
        if verb in ("bet", "heal") and _is_typed(history, outcome.action) and chance.random() < 0.5:
            many = intent.params["dice"]
            assert isinstance(many, int)
            return Amend({}, tuple(chance.randint(1, 4) for _ in range(many)))
        other: dict[str, dict[str, ParameterValue]] = {
            "attack": chance.choice(({"weapon": "sword"}, {"weapon": "club"}, {"target": self.who()})),
            "heal": {"dice": number},
            "bet": {"dice": number},
            "adjust": {"by": chance.randint(-6, 6)},
            "award": {"amount": chance.choice((10, 100, 220))},
            "pass-time": {"amount": number},
            "join": {"stats": {"max_hp": number * 4, "skill": number}},
            "trait": {"trait": chance.choice(TRAITS)},
            "note": {"to": chance.choice(("table", "gm"))},
            "roll": {"expression": chance.choice(("1d6", "2d6", "1d20 + 5"))},
        }
        return Amend(other[verb]) if verb in other else None


def _is_typed(history: History, action: int) -> bool:
    sources = [s for events in history.dice_of(action) for event in events for s in getattr(event, "sources", ())]
    return bool(sources) and all(source.kind == "physical" for source in sources)
