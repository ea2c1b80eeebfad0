"""An evening without a store: a history of one ruleset's actions, taken and corrected, that can tell how it went."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs

from domain.actions import StartCampaign
from domain.campaign import Campaign
from domain.corrections import Change, Correction, Preview, preview
from domain.dice_supply import DiceSupply, NoDice, PhysicalDice
from domain.errors import RollbookError
from domain.events import ActionTaken, Event, Header, Intent, Intervention, Resolved, Scalar
from domain.history import Entry, History
from domain.rulebook import Rulebook
from domain.ruleset import Ruleset
from domain.table import Played
from domain.verbs import Action, build, intent_of, parameters
from ruleset_plugins.conformance.loose_dice import LooseDice
from ruleset_plugins.conformance.neighbour import NEIGHBOUR

GM, PLAYER = "Ana", "mira"
_PLAIN = re.compile(r"[\w.,:+%=-]+")


@attrs.frozen(kw_only=True)
class Deed:
    """What somebody sets out to do: with which dice (those of a ``seed``, or ``typed`` ones), from which seat."""

    intent: Intent
    seat: str = GM
    seed: int = 0
    typed: tuple[int, ...] | None = None
    secret: bool = False

    def dice(self) -> DiceSupply:
        """The dice of this deed, from the first one on."""
        return LooseDice(self.seed) if self.typed is None else PhysicalDice(self.typed)


@attrs.frozen(kw_only=True)
class Outcome:
    """What came of a deed: it was ``played`` on the campaign ``before``, or refused with a sentence."""

    deed: Deed
    before: Campaign
    played: Played | None = None
    refusal: str = ""

    @property
    def facts(self) -> tuple[Event, ...]:
        """The facts that it left behind; none if it was refused."""
        return self.played.facts if self.played else ()


class NeitherFactsNorRefusal(AssertionError):
    """An action ended in an error that is no refusal."""


class Evening:
    """A campaign of one ruleset, with some house rules, from its first entry."""

    def __init__(self, ruleset: Ruleset, house: Mapping[str, Scalar] | None = None) -> None:
        self.ruleset = ruleset
        self.rulebook = Rulebook({game.key: game for game in (NEIGHBOUR, ruleset)})
        self.history = History()
        self._told: list[str] = []
        rules = tuple(f"{name}={typed(value)}" for name, value in (house or {}).items())
        self._start(rules)

    def _start(self, rules: tuple[str, ...]) -> None:
        start = StartCampaign(
            name="An evening",
            identity="00" * 16,
            ruleset=self.ruleset.key,
            version=self.ruleset.version,
            settings=rules,
        )
        intent = intent_of(start)
        played = self.rulebook.play(self.state, intent, NoDice(), ruleset=self.ruleset)
        self._told.append(f"campaign {self.ruleset.key} {' '.join(rules)}".rstrip())
        self._add(self._header(Deed(intent=intent, seat=""), intent, played), played.facts)

    @property
    def state(self) -> Campaign:
        """The campaign as it stands, corrections included."""
        return self.history.state

    def try_out(self, deed: Deed, on: Campaign | None = None) -> Outcome:
        """What would come of it, now or ``on`` another campaign. Raises NeitherFactsNorRefusal for any other error."""
        before, dice = self.state if on is None else on, deed.dice()
        try:
            return Outcome(deed=deed, before=before, played=self.play(before, deed, dice), dice=_faces(dice))
        except RollbookError as refusal:
            return Outcome(deed=deed, before=before, refusal=str(refusal), dice=_faces(dice))
        except Exception as error:
            said = line(self._verb(deed.intent), deed, _faces(dice))
            raise NeitherFactsNorRefusal(f"{said}\nends in {type(error).__name__}: {error}") from error

    def take(self, deed: Deed) -> Outcome:
        """Somebody acts, and it is on record unless it was refused."""
        outcome = self.try_out(deed)
        self._told = [*self._told, *self._refused]
        self._refused.clear()
        said = line(self._verb(deed.intent), deed, outcome.dice)
            whole = attrs.evolve(intent_of(self._action(deed.intent)), interventions=deed.intent.interventions)
            self._add(self._header(deed, whole, outcome.played), outcome.facts)
        return outcome

    def play(self, campaign: Campaign, deed: Deed, dice: DiceSupply) -> Played:
        """A deed on any campaign, with any dice. Raises whatever it raises."""
        return self.rulebook.play(campaign, deed.intent, dice, seat=deed.seat, secret=deed.secret)

    def preview(self, changes: Mapping[int, Change], seed: int = 0, **how: Any) -> Preview:
        """What a correction would do; dice that were never rolled fall by the seed. Raises Refused, NotFound."""
        asked = Correction(changes=changes, seat=GM, reason="so", dice=LooseDice(seed), **how)
        return preview(self.history, asked, self.rulebook)

    def apply(self, made: Preview) -> None:
        """Append what a preview shows."""
        for proposal in made.proposals:
            self._told.append(f"({_corrected(proposal.header)})")
            self._add(proposal.header, proposal.facts)

    def correctable(self) -> tuple[int, ...]:
        """The actions that count, were decided by the rules and can be taken back."""
        return tuple(action for action, entry in self.history.outcomes() if entry and self._is_open(action, entry))

    def _is_open(self, action: int, entry: Entry) -> bool:
        header = entry.header
        if not isinstance(header, Resolved) or header.provenance != "played":
            return False
        return not self.rulebook.is_final(self.history.state_before(action), header.intent)

    def told(self) -> str:
        """Everything that was done, as it would be typed."""
        return "\n".join(f"  {said}" for said in self._told)

    def told_last(self) -> str:
        """What was done last, as it would be typed."""
        return self._told[-1].partition("\n")[0]

    def _verb(self, intent: Intent) -> type[Action]:
        return self.rulebook.verb(self.state, intent.verb)

    def _action(self, intent: Intent) -> Action:
        return build(self._verb(intent), intent.params)

    def _header(self, deed: Deed, intent: Intent, played: Played) -> ActionTaken:
        key, version = (
            (self.state.ruleset or self.ruleset.key),
            self.rulebook.version(self.state) or self.ruleset.version,
        )
        return ActionTaken(
            action=self.history.actions + 1,
            seat=deed.seat,
            intent=intent,
            ruleset=key,
            version=version,
            reads=played.reads,
            visibility=self._action(intent).visibility or ("gm" if deed.secret else ""),
        )

    def _add(self, header: Header, facts: tuple[Event, ...]) -> None:
        self.history.add(Entry(self.history.head + 1, header, facts))


def line(verb: type[Action], deed: Deed) -> str:
    """A deed as a person would type it."""
    said = [verb.verb]
    for parameter in parameters(verb):
        given = deed.intent.params.get(parameter.name, parameter.default)
        if parameter.hidden or given is None or (not parameter.required and given == parameter.default):
            continue
        option = "" if parameter.required else f"--{parameter.name.replace('_', '-')}"
        said.append(option if given is True and option else f"{option} {_quoted(typed(given))}".strip())
    said += [f"--seat {_quoted(deed.seat)}"] if deed.seat != GM else []
    said += ["--secret"] if deed.secret else []
    said += ["!", *map(str, deed.typed)] if deed.typed is not None else []
    return " ".join((*said, *map(_thought, deed.intent.interventions)))


def _thought(thought: Intervention) -> str:
    return (
        f"({thought.kind} by {thought.character or 'the GM'}, roll {thought.roll}, keep {thought.keep or 'the best'})"
    )


def typed(value: Scalar) -> str:
    """A value as a person types it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _quoted(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _corrected(header: Header) -> str:
    what = {"ActionVoided": "taken back", "ActionRestored": "brought back", "ActionRevised": "comes out anew"}
    intent = f": {dict(header.intent.params)}" if isinstance(header, Resolved) and not header.because else ""
    return f"#{header.action} {what[type(header).__name__]}{intent}"
