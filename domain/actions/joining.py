"""Newcomers, one or several, each under a name and an id of their own.

Names and ids of newcomers are settled once, when the action is taken, and are in its intent: no correction of earlier
actions gives them other names, and no other name gives them another id. A newcomer whom the table does not know has an
id that no open one gets, and is not counted among those whom the table knows: so the names of open newcomers say
nothing of hidden ones. Older intents hold no id: theirs is in the action's outcome.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from typing import Any

import attrs

from rollbook.domain import events
from rollbook.domain.base.letters import caseless, composed, id_of
from rollbook.domain.events import CharacterJoined, CharacterKind, Event, ParameterValue
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import amounts, choice, engine_parameter, label, number, seat
from rollbook.domain.rules.spelling import STAT
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import UNSEEN, slug

ID, NAME, COUNT = "id", "name", "count"


def with_kept_id(params: Mapping[str, ParameterValue], outcome: Iterable[Event]) -> Mapping[str, ParameterValue]:
    """The parameters of a newcomer, with the id that the outcome gave; unchanged if they name one, or if none came in.

    For several who came in together it is the common part of their ids before the number.
    """
    came = next((event.character for event in outcome if isinstance(event, CharacterJoined)), "")
    if not came or params.get(ID):
        return params
    several = params.get(COUNT, 1) != 1
    return {**params, ID: came.rpartition("-")[0] if several else came}


def amended_newcomer(
    had: Mapping[str, ParameterValue], changes: Mapping[str, ParameterValue], outcome: Iterable[Event]
) -> Mapping[str, ParameterValue]:
    """The parameters of a newcomer with ``changes``: the id stays unless it is among them; a new name is composed."""
    said = {key: value for key, value in changes.items() if value or key != ID}
    if isinstance(name := said.get(NAME), str):
        said[NAME] = composed(name)
    return {**with_kept_id(had, outcome), **said}


MOST = 100
"""Most newcomers at once."""

_NUMBERED = re.compile(r"(?P<name>.*\S) +[0-9]{1,6}")


class JoinAction(Action, verb="join", gm_only=True):
    """A verb ``join``, to be derived from: who comes in. A game adds what its characters are made of."""

    sentence = "brings somebody in"

    name: str = label("the character's name")
    id: str = label("what the character is called in commands", default="")
    kind: str = choice("what sort of character", tuple(CharacterKind), default=CharacterKind.PLAYER_CHARACTER.value)
    seat: str = seat("who plays the character", default="")
    count: int = number("how many come in, with numbers after the name", default=1, minimum=1, maximum=MOST)
    first: int = engine_parameter(ParameterType.NUMBER, "the number of the first of several", default=0)

    def enter(self, table: Table) -> str:
        """Record that the character is there. Returns the id. Refused for an id that is taken."""
        return enter(table, name=self.name, id=self.id, kind=self.kind, seat=self.seat)

    @property
    def is_player_character(self) -> bool:
        """True if a player character comes in."""
        return self.kind == CharacterKind.PLAYER_CHARACTER

    def parts(self) -> Iterator[Action]:
        """The newcomers, each as if they came alone."""
        if self.count == 1:
            yield self
            return
        first = self.first or 1
        stem = self.id or slug(self.name)
        for place, number_ in enumerate(range(first, first + self.count)):
            alone: dict[str, Any] = {"count": 1, "first": 0, "name": f"{self.name} {number_}"}
            yield attrs.evolve(self, **alone, id=f"{stem}-{number_}", **self.of_each(place))

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:
        """Unique names and ids, unless the GM gives them."""
        return named_apart(self, campaign, secret=secret)

    @classmethod
    def amended(
        cls, had: Mapping[str, ParameterValue], changes: Mapping[str, ParameterValue], outcome: tuple[Event, ...]
    ) -> Mapping[str, ParameterValue]:
        """The parameters with the id that the newcomer has, under a new name too."""
        return amended_newcomer(had, changes, outcome)

    def of_each(self, place: int) -> Mapping[str, Any]:  # noqa: ARG002 - for games that say more
        """The parameters that differ between several newcomers, besides their names; ``place`` counts them from 0."""
        return {}


class Join(JoinAction):
    """Bring a character into the campaign, with whatever numbers the sheet should carry."""

    stats: Mapping[str, int] = amounts("numbers on the sheet, as name=number", default={}, of=STAT)

    def resolve(self, table: Table) -> None:
        who = self.enter(table)
        for stat, amount in self.stats.items():
            table.record(events.StatChanged(character=who, stat=stat, amount=amount))


def enter(table: Table, *, name: str, id: str, kind: str, seat: str) -> str:
    """Record the first event of a character. Refused if the id is taken or the seat empty. Returns the id.

    An id is settled when the action is taken. Older intents have none, and theirs is the slug of the name.
    """
    who = id or slug(name)
    if not who:
        table.refuse("A character needs a name.", parameter="name")
    if who not in (id_of(who), slug(who)):
        table.refuse(f"{who!r} cannot be typed easily; call the character {id_of(who)!r} in commands.", parameter="id")
    if table.knows(who):
        table.refuse(f"There is already a character called {who!r}. Give the newcomer another --id.", parameter="id")
    if seat and seat not in table.seats:
        table.refuse(f"Nobody called {seat} sits at this table. First: rollbook do take-seat {seat}", parameter="seat")
    table.record(events.CharacterJoined(character=who, name=name, kind=CharacterKind(kind), seat=seat))
    if table.is_secret:
        table.record(events.CharacterHidden(character=who))
    return who


def named_apart(action: JoinAction, campaign: CampaignState, *, secret: bool) -> dict[str, ParameterValue]:
    """The name, id and first number of newcomers, unless given, so that no two have the same name.

    Newcomers whom the table knows are numbered among themselves, those whom it does not know among all. Only a shared
    name makes a number: if another name has the id already, only the id differs.
    """
    name, bare = composed(action.name), id_of(action.name)
    if not bare or (action.id and action.count == 1):
        return {"name": name}
    stem = action.id or unseen_id(bare, secret=secret)
    everybody = campaign.characters.values()  # of a hidden one who came in openly the table has heard before
    others = [who for who in everybody if secret or not (who.hidden and who.id.startswith(UNSEEN))]
    taken = _numbers_of(name, (caseless(who.name) for who in others))
    if action.count > 1:
        taken |= {number for who in others if (number := _number_of_id(stem, who.id))}
        return {"name": name, "id": stem, "first": max(taken, default=0) + 1}
    if taken and (found := _NUMBERED.fullmatch(name)):
        return named_apart(attrs.evolve(action, name=found["name"]), campaign, secret=secret)
    if taken:
        number_ = max(taken) + 1
        name, stem = f"{name} {number_}", f"{stem}-{number_}"
    ids = {who.id for who in others}
    numbered = (f"{stem}-{number_}" for number_ in count(2))
    return {"name": name, "id": next(id_ for id_ in chain((stem,), numbered) if id_ not in ids)}


def unseen_id(bare: str, *, secret: bool) -> str:
    """The id for a newcomer with the open id ``bare``; if ``secret``, one that no open newcomer gets."""
    return f"{UNSEEN}{bare}" if secret and not bare.startswith(UNSEEN) else bare


def _numbers_of(name: str, folded: Iterable[str]) -> set[int]:
    """The numbers that others of that name have; 1 for one without a number."""
    numbered = re.compile(rf"{re.escape(caseless(name))}(?: (?P<number>[0-9]{{1,6}}))?")
    return {int(match["number"] or 1) for match in map(numbered.fullmatch, folded) if match}


def _number_of_id(stem: str, id_: str) -> int:
    """The number in an id that begins with the stem, 1 for the stem alone; 0 for another id."""
    match = re.fullmatch(rf"{re.escape(stem)}(?:-(?P<number>[0-9]{{1,6}}))?", id_)
    return int(match["number"] or 1) if match else 0
