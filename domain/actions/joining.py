"""Somebody comes in, alone or in numbers, each under a name and an id of their own.

What newcomers are called is settled once, when the action is taken, and is in its intent: no correction of what came before gives
them other names. A newcomer whom the table does not know has an id that no open one gets, and is not counted among those whom
the table knows: so the names of open newcomers say nothing of hidden ones.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from domain import events
from domain.action import Action
from domain.events import CharacterKind, ParameterValue
from domain.lookup import UNSEEN, slug
from domain.parameters import ParameterType, amounts, choice, engine_parameter, label, number, seat
from domain.state import CampaignState, Character
from domain.table import Table

MOST = 100
"""No more come in at once."""

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
        """Whether a player character comes in."""
        return self.kind == CharacterKind.PLAYER_CHARACTER

    def parts(self) -> Iterator[Action]:
        """Everybody who comes in, as if they came alone."""
        if self.count == 1:
            yield self
            return
        first = self.first or 1
        stem = self.id or slug(self.name)
        for place, number_ in enumerate(range(first, first + self.count)):
            alone: dict[str, Any] = {"count": 1, "first": 0, "name": f"{self.name} {number_}"}
            yield attrs.evolve(self, **alone, id=f"{stem}-{number_}", **self.of_each(place))

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:
        """Names and ids that nobody else has, where the GM leaves that open."""
        return named_apart(self, campaign, secret=secret)

    def of_each(self, place: int) -> Mapping[str, Any]:  # noqa: ARG002 - for games that say more
        """What differs between several newcomers, besides their names; ``place`` counts them from 0."""
        return {}


class Join(JoinAction):
    """Bring a character into the campaign, with whatever numbers the sheet should carry."""

    stats: Mapping[str, int] = amounts("numbers on the sheet, as name=number", default={})

    def resolve(self, table: Table) -> None:
        who = self.enter(table)
        for stat, amount in self.stats.items():
            table.record(events.StatChanged(character=who, stat=stat, amount=amount))


def enter(table: Table, *, name: str, id: str, kind: str, seat: str) -> str:
    """The first event of everybody with a sheet. Refused if the id is taken or the seat empty. Returns the id."""
    who = id or slug(name)
    if not who:
        table.refuse("A character needs a name.")
    if slug(who) != who:
        table.refuse(f"{who!r} cannot be typed easily; call the character {slug(who)!r} in commands.")
    if table.knows(who):
        table.refuse(f"There is already a character called {who!r}. Give the newcomer another --id.")
    if seat and seat not in table.seats:
        table.refuse(f"Nobody called {seat} sits at this table. First: rollbook do take-seat {seat}")
    table.record(events.CharacterJoined(character=who, name=name, kind=CharacterKind(kind), seat=seat))
    if table.is_secret:
        table.record(events.CharacterHidden(character=who))
    return who


def named_apart(action: JoinAction, campaign: CampaignState, *, secret: bool) -> dict[str, ParameterValue]:
    """The name, id and first number of newcomers of whom nothing else was said, so that nobody is called as another is.

    Those whom the table knows are numbered among themselves, and those whom it does not know among everybody.
    """
    bare = slug(action.name)
    if not bare or (action.id and action.count == 1):
        return {}
    stem = action.id or unseen_id(bare, secret=secret)
    others = [who for who in campaign.characters.values() if secret or not _is_unseen(who)]
    taken = _numbers_of(action.name, stem, others)
    if action.count > 1:
        return {"id": stem, "first": max(taken, default=0) + 1}
    if not taken:
        return {"id": stem} if secret else {}
    if found := _NUMBERED.fullmatch(action.name):
        return named_apart(attrs.evolve(action, name=found["name"]), campaign, secret=secret)
    number_ = max(taken) + 1
    return {"name": f"{action.name} {number_}", "id": f"{stem}-{number_}"}


def unseen_id(bare: str, *, secret: bool) -> str:
    """The id of a newcomer who would be called ``bare`` in the open: of one that the table does not know no open one gets it."""
    return f"{UNSEEN}{bare}" if secret and not bare.startswith(UNSEEN) else bare


def _is_unseen(who: Character) -> bool:
    """Whether somebody is hidden who came in so: of others the table has heard before."""
    return who.hidden and who.id.startswith(UNSEEN)


def _numbers_of(name: str, stem: str, others: list[Character]) -> set[int]:
    """The numbers that others of that name or id have; 1 for one without a number."""
    numbered = re.compile(
        rf"{re.escape(name.casefold())}( (?P<named>[0-9]{{1,6}}))?|{re.escape(stem)}(-(?P<typed>[0-9]{{1,6}}))?"
    )
    matches = (numbered.fullmatch(called) for who in others for called in (who.name.casefold(), who.id))
    return {int(match["named"] or match["typed"] or 1) for match in matches if match}
