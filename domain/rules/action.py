"""Actions: a verb is a frozen class of parameters with a ``resolve``.

``build`` makes an action from stored or typed parameters, ``check`` is for one that a caller has made: nothing else is played.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from threading import RLock
from typing import ClassVar, cast, dataclass_transform

import attrs

from rollbook.domain.base.errors import Refused, not_found
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.dice.steps import DiceStep
from rollbook.domain.entries import Intent
from rollbook.domain.events import Event, ParameterValue, Role
from rollbook.domain.rules.handles import Handle, HandleKind
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import METADATA, Parameter
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState

_NOBODY = frozenset(("",))
_FIELD = type(attrs.field())
"""The type of what stands in the place of a field until its class is made."""


@dataclass_transform(kw_only_default=True, frozen_default=True)
@attrs.frozen(kw_only=True)
class Action(Record):
    """An action, as the table would say it: ``class Reveal(Action, verb="reveal", gm_only=True)``.

    Every class that comes from it becomes a frozen attrs class, without a decorator, when first used; fields are parameters.

    ``verb`` is the word for it, under which it is stored. ``gm_only`` verbs are the GM's. A ``final`` action cannot be undone
    or amended: it bound people outside the history (a dice commitment that was shown, an X-card that was raised). Of an
    ``anonymous`` one nobody learns whose it was. One that is taken ``by_any_seat`` needs nobody who acts (a note, loose dice,
    the end of a turn); in any other a player's seat names the ``actor``. A subclass inherits the rest.

    ``pattern`` is a parameter that says where the needed ones come from if they are not given: whose name, whose numbers.
    ``stat_block`` says what each option takes of another program's stat block: hp, ac, speed, initiative, scores (STR to
    CHA, or ``scores:`` and another order) or modifiers; an amount among others is written ``stats.initiative``.
    ``questions`` are for a verb called join: what a person is asked, in the order of the game's own procedure, by the ``kind``
    of newcomer; where a kind is missing, everything is asked. ``typed_dice`` is the
    order in which its dice fall, and in which real ones are typed. ``sentence`` is how the log says it of who acts, with
    parameters at their places: ``attacks {target}[ with {weapon:the}]`` (see ``rollbook.domain.rules.sentences``).
    ``handles`` say what of the table it acts on, so that it is offered there: a target, hit points, a condition, the turn.
    """

    verb: ClassVar[str] = ""
    gm_only: ClassVar[bool] = False
    final: ClassVar[bool] = False
    anonymous: ClassVar[bool] = False
    by_any_seat: ClassVar[bool] = False
    pattern: ClassVar[str] = ""
    stat_block: ClassVar[Mapping[str, str]] = {}
    questions: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    typed_dice: ClassVar[tuple[DiceStep, ...]] = ()
    sentence: ClassVar[str] = ""
    handles: ClassVar[tuple[Handle, ...]] = ()

    def __init_subclass__(
        cls,
        *,
        verb: str | None = None,
        gm_only: bool | None = None,
        final: bool | None = None,
        anonymous: bool | None = None,
        by_any_seat: bool | None = None,
    ) -> None:
        super().__init_subclass__()
        said = {"verb": verb, "gm_only": gm_only, "final": final, "anonymous": anonymous, "by_any_seat": by_any_seat}
        for name, value in said.items():
            if value is not None:
                setattr(cls, name, value)
        cls.__init__ = _made_when_first_used  # type: ignore[assignment]

    @property
    def visibility(self) -> str:
        """The readers: "" the whole table, "gm", or one seat's name."""
        return ""

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:
        """Parameters that are settled when the action is taken, and stored with it: names for newcomers, say."""
        return {}

    @classmethod
    def amended(
        cls, had: Mapping[str, ParameterValue], changes: Mapping[str, ParameterValue], outcome: tuple[Event, ...]
    ) -> Mapping[str, ParameterValue]:
        """The parameters of an action on record with ``changes``.

        A verb that settles something when it is taken takes it from the ``outcome`` where an older intent does not hold it.
        """
        return {**had, **changes}

    def check_taken(self, campaign: CampaignState, role: Role) -> None:
        """Raise Refused for what a seat of this role may not do here, although another may.

        Asked when a seat takes the action, and never when it is played again: what is on record was allowed.
        """

    @classmethod
    def check_available(cls, table: Table, who: CharacterId, /) -> None:
        """Raise Refused if a character cannot take this verb now, with any other parameters, short of a ruling.

        Menus call it with a table that records nothing and rolls no dice. Refusals that depend on other parameters are
        not raised here; a refusal here is one of ``resolve`` as well.
        """

    def remarks(self, campaign: CampaignState) -> Iterable[str]:
        """Sentences for the acting seat on values that are valid but perhaps not meant."""
        return ()

    def parts(self) -> Iterable[Action]:
        """The actions that are played out one after the other, which is this one alone unless it says more."""
        return (self,)

    def characters_named(self) -> tuple[CharacterId, ...]:
        """The characters whom the action's parameters name, sorted: the targets in a request for dice."""
        form = _form(type(self))
        found = {getattr(self, name) for name in form.people}
        for name in form.groups:
            found.update(getattr(self, name))
        return tuple(sorted(found - _NOBODY))

    def parameter_with(self, value: object) -> str:
        """The parameter that has this value, or else the first that holds it among others; "" for none. Who acts comes first."""
        form = _form(type(self))
        given = {name: getattr(self, name) for name in (*form.people, *form.groups, *form.by_name)}
        same = (
            name for name, held in given.items() if held == value and isinstance(held, bool) == isinstance(value, bool)
        )
        lists = {name: held for name, held in given.items() if isinstance(held, (tuple, Mapping))}
        among = (name for name, held in lists.items() if isinstance(value, str) and value in held)
        return next(same, "") or next(among, "")

    @classmethod
    def has_parameter(cls, name: str) -> bool:
        """True if the verb has a parameter of that name."""
        return name in _form(cls).by_name

    def resolve(self, table: Table) -> None:
        """Play the action out at the table: roll, decide, record. Raises Refused if the rules say no."""
        raise Refused(f"{type(self).__name__} says nothing about how it is resolved.")


def _made_when_first_used(action: Action, /, *args: object, **params: object) -> None:
    """The constructor of a verb until its first action: a game has dozens of verbs, and a command uses one."""
    verb = type(action)
    _make(verb)
    verb.__init__(action, *args, **params)


def _make(verb: type[Action]) -> None:
    """Make an attrs class of a verb, and before of those that it comes from, unless they are."""
    with _MAKING:
        for each in reversed(verb.__mro__):
            if vars(each).get("__init__") is _made_when_first_used:
                attrs.frozen(each, kw_only=True, slots=False, init=True)


_MAKING = RLock()
"""Lock held while a verb is made, so that no other thread sees it half made."""


@attrs.frozen
class _Form(Record):
    """The parameters of a verb: in the order in which a person names them, by name, and by what is asked of them.

    Of all those, ``users`` are given by a person.
    ``people`` name one character each, first those that say who acts (``actors``); ``groups`` name several. Of what
    ``is_mixed`` two equal intents may not be the same.
    """

    parameters: tuple[Parameter, ...]
    users: tuple[Parameter, ...]
    by_name: Mapping[str, Parameter]
    required: tuple[str, ...]
    people: tuple[str, ...]
    actors: tuple[str, ...]
    groups: tuple[str, ...]
    is_mixed: bool


_FORMS: dict[type[Action], _Form] = {}


def _form(verb: type[Action]) -> _Form:
    """The form of a verb, made when it is first asked for."""
    found = _FORMS.get(verb)
    if found is None:
        found = _FORMS[verb] = _made_form(tuple(_described(verb)))
    return found


def _made_form(described: tuple[Parameter, ...]) -> _Form:
    people = [each for each in described if each.want is ParameterType.CHARACTER]
    return _Form(
        parameters=described,
        users=tuple(each for each in described if not each.hidden),
        by_name={each.name: each for each in described},
        required=tuple(each.name for each in described if each.required),
        people=tuple(each.name for each in sorted(people, key=lambda each: not each.actor)),
        actors=tuple(each.name for each in people if each.actor),
        groups=tuple(each.name for each in described if each.want is ParameterType.CHARACTERS),
        is_mixed=any(each.want in _MIXED for each in described),
    )


def _described(verb: type[Action]) -> Iterator[Parameter]:
    _make(verb)
    for field in attrs.fields(verb):
        described = field.metadata.get(METADATA)
        if described is not None:
            default = None if field.default is attrs.NOTHING else field.default
            yield Parameter(name=field.name, default=default, **described)


def declares(verb: type[Action], name: str) -> bool:
    """True if a verb has a parameter of that name: a game is checked without making an attrs class of each of its verbs."""
    field = getattr(verb, name, None)
    return METADATA in field.metadata if isinstance(field, _FIELD) else verb.has_parameter(name)


def parameters(verb: type[Action]) -> tuple[Parameter, ...]:
    """The parameters of a verb, in the order in which a person names them."""
    return _form(verb).parameters


def user_parameters(verb: type[Action]) -> tuple[Parameter, ...]:
    """The parameters of a verb that a person gives, in that order."""
    return _form(verb).users


def build(verb: type[Action], params: Mapping[str, ParameterValue]) -> Action:
    """The action with these parameters. Raises Refused for a parameter it does not have, lacks or cannot take."""
    form = _form(verb)
    known = form.by_name
    for name, value in params.items():
        parameter = known.get(name)
        if parameter is None:
            raise Refused(str(not_found(f"parameter of {verb.verb}", name, known)), parameter=name)
        if value is not parameter.default or value is None:
            parameter.check(value)
    missing = [name for name in form.required if name not in params]
    if missing:
        raise Refused(
            f"{verb.verb} also needs: {', '.join(missing)}. It is written {usage(verb)}", parameter=missing[0]
        )
    return verb(**params)


_MIXED = (ParameterType.NUMBERS, ParameterType.ROWS, ParameterType.AMOUNTS, ParameterType.SETTINGS)
"""Lists and mappings in which 1 and True could be confused: Python takes them for equal."""


def build_stored(verb: type[Action], intent: Intent) -> Action:
    """The action that an intent means: see ``build``. The last ones are remembered: people do the same again and again."""
    params = intent.params
    if _form(verb).is_mixed:
        return build(verb, params)
    try:
        return _remembered(cast("Hashable", verb), tuple(params), *params.values())
    except TypeError:  # a list, say, which cannot be looked up: no verb takes it, and ``build`` says so
        return build(verb, params)


@lru_cache(maxsize=1024, typed=True)
def _remembered(verb: type[Action], names: tuple[str, ...], *values: ParameterValue) -> Action:
    return build(verb, dict(zip(names, values, strict=True)))


def check(action: Action) -> None:
    """Raise Refused for a parameter of an action that has a value it cannot take."""
    for parameter in parameters(type(action)):
        value = getattr(action, parameter.name)
        if value != parameter.default:
            parameter.check(value)


def intent_of(action: Action) -> Intent:
    """The action as it is stored: its verb and every parameter, so that no later default changes what was meant."""
    params = {parameter.name: getattr(action, parameter.name) for parameter in parameters(type(action))}
    return Intent(verb=action.verb, params=params)


def usage(verb: type[Action]) -> str:
    """The usage of a verb, required parameters first: ``attack ATTACKER TARGET WEAPON [--distance NUMBER]``."""
    parts = [verb.verb]
    for parameter in sorted(parameters(verb), key=lambda known: not known.required):
        if parameter.hidden:
            continue
        if parameter.required:
            parts.append(parameter.name.upper())
        elif parameter.want is ParameterType.FLAG:
            parts.append(f"[--{parameter.name.replace('_', '-')}]")
        else:
            parts.append(f"[--{parameter.name.replace('_', '-')} {parameter.want.upper()}]")
    return " ".join(parts)


def actor_of(action: Action) -> CharacterId:
    """The character that an ``actor`` parameter names, or else the first that any parameter names; "" for none."""
    return next((who for name in _form(type(action)).people if (who := getattr(action, name))), "")


def actors_of(action: Action) -> tuple[CharacterId, ...]:
    """The acting characters: those that the ``actor`` parameters name."""
    return tuple(who for name in _form(type(action)).actors if (who := getattr(action, name)))


def people_in(verb: type[Action]) -> tuple[str, ...]:
    """The parameters that name one character each, first those that say who acts."""
    return _form(verb).people


def actors_in(verb: type[Action]) -> tuple[str, ...]:
    """The parameters that say who acts."""
    return _form(verb).actors


def is_the_gms(verb: type[Action]) -> bool:
    """True if no player can take an action of this verb: it is the GM's, or has no actor and is not for any seat."""
    is_anybodys = verb.anonymous or verb.by_any_seat or bool(_form(verb).actors)
    return verb.gm_only or not is_anybodys


def handle_of(verb: type[Action], kind: HandleKind) -> Handle | None:
    """The handle of a verb for one thing, None if it is not for that."""
    if not verb.handles:  # most have none, and a page asks all of them
        return None
    return next((handle for handle in verb.handles if handle.kind is kind), None)
