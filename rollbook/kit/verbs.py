"""Verbs that are the same in several games, made out of what differs: harm, heal, choose, condition, bring-in, encounters.

``fields`` are further parameters of a verb (``{"side": words("on which side", default="")}``); the game's function receives
each of them as a keyword argument.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType, ModuleType
from typing import Any, TypeAlias, TypeVar

import attrs

from rollbook.domain.actions import joining
from rollbook.domain.actions.characters import Drop as DropAction
from rollbook.domain.actions.characters import Give as GiveAction
from rollbook.domain.base.letters import composed, id_of
from rollbook.domain.dice.steps import DiceStep
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules import parameters
from rollbook.domain.rules.parameters import character, characters, choice, dice, flag, label, names, seat, words
from rollbook.kit import conditions, d20, hit_points, open_choices, require, turn_order, vocabulary
from rollbook.kit.newcomers import HP_EACH, JoinAction
from rollbook.plugin import Action, CampaignState, Character, CharacterKind, Handle, HandleKind, Record, Table, events

Fields: TypeAlias = Mapping[str, Any]
"""Further parameters of a verb, by name, as ``words()``, ``number()`` and the like make them."""

__all__ = [
    "BEGINS_A_FIGHT",
    "CHOOSES_NEXT",
    "DAMAGE",
    "HEALING",
    "HEALS",
    "HP_EACH",
    "RULES_CONDITIONS",
    "BeginEncounterAction",
    "DropAction",
    "EndTurnAction",
    "GiveAction",
    "HitPointsAction",
    "JoinAction",
    "Newcomer",
    "ReorderAction",
    "RollAction",
    "attacks",
    "available_if",
    "bring_in_verb",
    "choose_verb",
    "condition_verb",
    "defined_in",
    "end_encounter_verb",
    "harm_verb",
    "heal_verb",
    "join_encounter_verb",
]

NONE: Fields = MappingProxyType({})

Dice: TypeAlias = tuple[DiceStep, ...]
"""The steps in which the dice of a verb fall."""

DAMAGE = DiceStep(effects={"the damage, if it is dice": "damage"})
HEALING = DiceStep(effects={"what it heals, if it is dice": "healing"})

HEALS = (Handle(kind=HandleKind.HEAL, who="who", amount="amount"),)
"""The handles of a verb that gives hit points back."""
RULES_CONDITIONS = (
    Handle(kind=HandleKind.AFFLICT, who="who", what="condition"),
    Handle(kind=HandleKind.RELIEVE, who="who", what="condition", given={"ends": "yes"}),
)
"""The handles of a verb that begins and ends conditions."""
BEGINS_A_FIGHT = (Handle(kind=HandleKind.BEGIN_FIGHT, who="participants"),)
"""The handles of a verb that begins a fight."""
CHOOSES_NEXT = (Handle(kind=HandleKind.END_TURN, who="next"),)
"""The handles of a verb that ends a turn and names who is next."""


def attacks(*, who: str = "target", what: str = "weapon") -> tuple[Handle, ...]:
    """The handles of an attack, by the parameters of the target and of the weapon."""
    return (Handle(kind=HandleKind.ATTACK, who=who, what=what),)


_Row = TypeVar("_Row")


def _finished(verb: type[Action], help: str, fields: Fields, typed_dice: Dice = ()) -> type[Action]:
    """The verb with its help, its further parameters and the order of its dice."""
    types = {name: field.metadata[parameters.METADATA]["want"].value_type for name, field in fields.items()}
    more = {**fields, "__annotations__": types, "__doc__": help, "typed_dice": (*verb.typed_dice, *typed_dice)}
    return type(verb.__name__, (verb,), more)


def _more(action: Action, fields: Fields) -> Fields:
    return {name: getattr(action, name) for name in fields}


def _nothing(*_: object, **__: object) -> None:
    """Do nothing: the hook of games in which nothing follows."""


def available_if(*checks: Callable[..., object]) -> Any:
    """A verb's ``check_available``: each ``check(table, who)`` refuses a character who cannot take it now."""

    def check_available(_: type[Action], table: Table, who: str, /) -> None:
        for check in checks:
            check(table, who)

    return classmethod(check_available)


def defined_in(*modules: ModuleType) -> tuple[type[Action], ...]:
    """The verbs that are defined in some modules, in their order, for ``Ruleset(actions=…)``."""
    found = (each for module in modules for each in vars(module).values() if isinstance(each, type))
    return tuple(dict.fromkeys(each for each in found if issubclass(each, Action) and each.verb))


class RollAction(Action):
    """A verb with a roll that circumstances make easier or harder, to be derived from."""

    advantage: tuple[str, ...] = names("what makes it easier", default=(), gm_only=True)
    disadvantage: tuple[str, ...] = names("what makes it harder", default=(), gm_only=False)

    @property
    def ease(self) -> d20.Advantage:
        """The circumstances as they were named."""
        return d20.Advantage(self.advantage, self.disadvantage)


class HitPointsAction(Action, gm_only=True):
    """A verb that takes hit points or gives them back, to be derived from."""

    who: str = character("whose hit points they are")
    amount: str = dice("how much, as a number or dice")
    source: str = words("what by", default="")


def harm_verb(
    hurt: Callable[..., object],
    *,
    help: str = "Somebody is hurt without an attack: a fall, a fire, a trap.",
    fields: Fields = NONE,
    typed_dice: Dice = (DAMAGE,),
) -> type[Action]:
    """The verb ``harm``. ``hurt(table, id, dealt, tags=, source=)`` is how the game takes hit points."""

    class Harm(HitPointsAction, verb="harm"):
        sentence = "hurts {who}[ ({source})]"
        handles = (Handle(kind=HandleKind.HARM, who="who", amount="amount"),)

        tags: tuple[str, ...] = names(
            "what sort of damage it is: fire, acid, a fall …", default=(), of=vocabulary.DAMAGE
        )

        def resolve(self, table: Table) -> None:
            who = require.living(table, self.who)
            dealt = hit_points.roll_amount(table, who, self.amount, "damage")
            if dealt:
                hurt(table, who.id, dealt, tags=self.tags, source=self.source, **_more(self, fields))

    return _finished(Harm, help, fields, typed_dice)


def heal_verb(
    restore: Callable[..., object],
    *,
    help: str,
    check: Callable[..., None] = hit_points.check_can_heal,
    fields: Fields = NONE,
) -> type[Action]:
    """The verb ``heal``. ``restore(table, id, amount, source=)`` gives hit points back; ``check(table, who)`` refuses."""

    class Heal(HitPointsAction, verb="heal"):
        sentence = "heals {who}[ ({source})]"
        handles = HEALS

        typed_dice = (HEALING,)

        def resolve(self, table: Table) -> None:
            who, more = require.living(table, self.who), _more(self, fields)
            check(table, who, **more)
            healed = hit_points.roll_amount(table, who, self.amount, "healing") if self.amount != "0" else 0
            restore(table, who.id, healed, source=self.source, **more)

    return _finished(Heal, help, fields)


def choose_verb(
    effects: Mapping[str, Callable[[Table, Character, str, str], object]],
    *,
    help: str,
    reads: Mapping[str, Callable[[Table, Character, str, str], str]] = NONE,
    typed_dice: Dice = (),
) -> type[Action]:
    """The verb ``choose``.

    ``effects`` apply, by the kind of a choice (see ``open_choices.offer``), once it is made: they get the character as
    they were before, the name of the choice and the key that was picked. ``reads`` turn typed text into the pick, for
    kinds in which that is more than the key of an option.
    """

    class Choose(Action, verb="choose"):
        sentence = "chooses {picked:key} for {choice:key}"

        who: str = character("who chooses", actor=True)
        choice: str = words("which open choice", fits=lambda who: who.choices, gm_only=False)
        picked: str = words(
            "what is picked",
            fits=lambda who: (key for each in who.choices.values() for key in each.keys),
            gm_only=False,
        )

        def resolve(self, table: Table) -> None:
            who = table.character(self.who)
            open_choices.options_of(table, who, self.choice)
            kind = open_choices.kind_of(who, self.choice)
            read = reads.get(kind, open_choices.check_option)
            picked = read(table, who, self.choice, self.picked)
            table.record(events.ChoiceMade(character=who.id, choice=self.choice, picked=picked))
            effects.get(kind, _nothing)(table, who, self.choice, picked)

    return _finished(Choose, help, NONE, typed_dice)


def condition_verb(
    *,
    help: str,
    examples: str = "",
    follows: tuple[str, ...] = (),
    begins: Mapping[str, Callable[[Table, str], object]] = NONE,
    ends: Mapping[str, Callable[[Table, str], object]] = NONE,
    source: str = "",
    even_dead: bool = False,
    typed_dice: Dice = (),
) -> type[Action]:
    """The verb ``condition``, by which the GM puts a character into a condition or takes them out of it.

    Conditions that ``follows`` names come from other rules and cannot be set. ``begins`` and ``ends`` are the rules of
    conditions that bring more than themselves. ``even_dead`` lets the GM rule on the dead and the absent as well.
    """

    class SetCondition(Action, verb="condition", gm_only=True):
        sentence = "rules that {who} is no longer {condition:key}{ends:if}|rules that {who} is {condition:key}"
        handles = RULES_CONDITIONS

        who: str = character("who is in it")
        condition: str = label(
            f"which condition: {examples}, or any other word" if examples else "which condition",
            of=vocabulary.CONDITION,
        )
        ends: bool = flag("it is over")

        def resolve(self, table: Table) -> None:
            who = table.character(self.who) if even_dead else require.living(table, self.who)
            conditions.check_ruling(table, who, self.condition, ends=self.ends, follows=follows)
            rule = (ends if self.ends else begins).get(self.condition)
            if rule is not None:
                rule(table, who.id)
            elif self.ends:
                conditions.end(table, who.id, self.condition)
            else:
                conditions.begin(table, who.id, self.condition, source=source)

    return _finished(SetCondition, help, NONE, typed_dice)


@attrs.frozen(kw_only=True)
class Newcomer(Record):
    """The typed parameters with which a published character enters, "" for those left out."""

    name: str
    id: str
    seat: str
    kind: str


def bring_in_verb(
    published: Mapping[str, _Row], build: Callable[..., object], *, help: str, fields: Fields = NONE
) -> type[Action]:
    """The verb ``bring-in``: ``build(table, sheet, newcomer)`` records one of the ``published`` characters, by its key."""

    class BringIn(Action, verb="bring-in", gm_only=True):
        sentence = "brings somebody in"

        who: str = choice("which of the published characters", tuple(published))
        name: str = label("the character's name, if not the printed one", default="")
        id: str = label("what the character is called in commands", default="")
        seat: str = seat("who plays the character", default="")
        kind: str = choice("what sort of character", tuple(CharacterKind), default=CharacterKind.PLAYER_CHARACTER.value)

        def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:  # noqa: ARG002
            """An id, which stays; of somebody whom the table does not know one that no open newcomer gets."""
            id_ = self.id or joining.unseen_id(id_of(self.name or self.who), secret=secret)
            return {"name": composed(self.name), "id": id_}

        amended = joining.JoinAction.amended

        def resolve(self, table: Table) -> None:
            newcomer = Newcomer(name=self.name, id=self.id, seat=self.seat, kind=self.kind)
            build(table, published[self.who], newcomer, **_more(self, fields))

    return _finished(BringIn, help, fields)


class BeginEncounterAction(Action, gm_only=True):
    """A verb ``begin-encounter``, to be derived from: see ``turn_order.begin_encounter``."""

    sentence = "begins an encounter with {participants}"
    handles = BEGINS_A_FIGHT

    participants: tuple[str, ...] = characters("who takes part")
    title: str = label("what the fight is called", default="")


class EndTurnAction(Action, by_any_seat=True):
    """A verb ``end-turn``, to be derived from, for who plays whose turn it is; between turns for the GM."""

    sentence = "ends the turn"
    handles = (Handle(kind=HandleKind.END_TURN),)

    @classmethod
    def check_available(cls, table: Table, _: str, /) -> None:
        turn_order.check_may_end(table)


def join_encounter_verb(
    arrives: Callable[..., object] = _nothing,
    *,
    help: str,
    waits: Callable[[Table], bool] | None = None,
    fields: Fields = NONE,
    typed_dice: Dice = (),
) -> type[Action]:
    """The verb ``join-encounter``: a character joins a fight at the end of the order, then ``arrives(table, who)``.

    ``waits`` says whether they act only from the next round on; without it they always do.
    """

    class JoinEncounter(Action, verb="join-encounter", gm_only=True):
        sentence = "{who} joins the encounter"
        handles = (Handle(kind=HandleKind.JOIN_FIGHT, who="who"),)

        who: str = character("who arrives")

        def resolve(self, table: Table) -> None:
            who = turn_order.join(table, self.who, next_round=waits is None or waits(table))
            arrives(table, who, **_more(self, fields))

    return _finished(JoinEncounter, help, fields, typed_dice)


class ReorderAction(Action, verb="reorder", gm_only=True):
    """Move somebody in the order of the turns, before another or to its end."""

    sentence = "moves {who} in the order[, before {before}]"
    handles = (Handle(kind=HandleKind.REORDER, who="who", what="before"),)

    who: str = character("who is moved")
    before: str = character("before whom, if not to the end", default="")

    def resolve(self, table: Table) -> None:
        turn_order.move(table, self.who, before=self.before)


def end_encounter_verb(
    ends: Callable[[Table, tuple[str, ...]], object],
    *,
    help: str,
    afterwards: Callable[..., object] = _nothing,
    fields: Fields = NONE,
    typed_dice: Dice = (),
) -> type[Action]:
    """The verb ``end-encounter``: ``ends(table, order)`` what lasts for a fight, ``afterwards(table)`` when it is over."""

    class EndEncounter(Action, verb="end-encounter", gm_only=True):
        sentence = "ends the encounter"

        def resolve(self, table: Table) -> None:
            ends(table, turn_order.require_encounter(table).order)
            table.record(events.EncounterEnded())
            afterwards(table, **_more(self, fields))

    return _finished(EndEncounter, help, fields, typed_dice)
