"""The verbs of a game that a character may take now, each with its refusal, before anything else is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CharacterId, SeatName
from rollbook.domain.dice.supply import NoDice
from rollbook.domain.entries import Intent
from rollbook.domain.events import Role
from rollbook.domain.rules.action import Action, actors_in, is_the_gms
from rollbook.domain.rules.noting_table import NotingTable
from rollbook.domain.rules.playing import check_control, check_here
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.reads import Reads

NO_DIE = "No die falls while a move is planned, or where it is only asked what can be done."

Asked = Callable[[str, Callable[[], str]], str | None]
"""Asks a ruleset, in the hook of this name; None if it failed."""


class BareTable(NotingTable):
    """A table at which nothing is played: nothing of it is kept, and no die falls. Its looks are noted in ``reads``."""

    def __init__(self, campaign: CampaignState, ruleset: Ruleset, seat: SeatName, reads: Reads) -> None:
        nothing, dice = Intent(verb=""), NoDice(NO_DIE)
        super().__init__(campaign, action=Action(), intent=nothing, dice=dice, ruleset=ruleset, seat=seat, reads=reads)
        self._again = partial(BareTable, campaign, ruleset, seat, reads)

    def untouched(self) -> BareTable:
        """The same table, unless a check has recorded something at it: then another one, for the next check."""
        return self._again() if self._events else self


Refusals = Mapping[str, str | None]
"""The refusal of each verb, "" for none; None where the check of the rules failed."""


def refusals(table: BareTable, verbs: Sequence[type[Action]], who: CharacterId, asked: Asked) -> Refusals:
    """The verbs that the table's seat may take with a character, each with its refusal."""
    is_gm = table.acting_seat is None or table.acting_seat.role is Role.GM
    of_actor = _refusal(partial(_check_actor, table, who, is_gm=is_gm))
    found: dict[str, str | None] = {}
    for verb in verbs:
        if not is_gm and is_the_gms(verb):
            continue
        if of_actor and actors_in(verb):
            found[verb.verb] = of_actor
            continue
        check = partial(verb.check_available, table, who)
        found[verb.verb] = asked(f"check of {verb.verb}", partial(_refusal, check))
        table = table.untouched()
    return found


def _check_actor(table: Table, who: CharacterId, *, is_gm: bool) -> None:
    """Raise Refused if the seat may take no verb with a character as its actor."""
    if not is_gm:
        check_control(table, table.character(who))
    check_here(table, who)


def _refusal(check: Callable[[], object]) -> str:
    """The refusal that a check raises, as ``resolve`` raises it too, "" for none."""
    try:
        check()
    except RollbookError as reason:
        return str(reason)
    return ""
