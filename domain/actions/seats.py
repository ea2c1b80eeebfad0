"""A campaign begins, and people sit down at its table."""

from collections.abc import Mapping

from domain import events
from domain.action import Action
from domain.errors import Refused
from domain.events import Role, Scalar
from domain.parameters import ParameterType, choice, engine_parameter, label, seat, settings
from domain.ruleset import read_settings
from domain.table import Table


class StartCampaign(Action, verb="start-campaign", gm_only=True, final=True):
    """Begin a campaign, by a ruleset and its house rules, all written out.

    Only these are recorded: a setting that the ruleset gains later changes nothing when this is played again.
    """

    sentence = "begins the campaign {name}"

    name: str = label("what the campaign is called")
    identity: str = engine_parameter(ParameterType.TEXT, "16 random bytes, in hexadecimal")
    ruleset: str = label("the ruleset's key", default="")
    version: str = engine_parameter(ParameterType.TEXT, "the ruleset's version", default="")
    package: str = engine_parameter(ParameterType.TEXT, "the distribution that brings the ruleset", default="")
    settings: Mapping[str, Scalar] = settings("house rules, as key=value", default={})

    def resolve(self, table: Table) -> None:
        table.record(events.CampaignStarted(name=self.name, identity=self.identity))
        if not self.ruleset:
            return
        if table.ruleset is None:
            raise Refused(f"The ruleset {self.ruleset} is not installed.")
        table.record(
            events.RulesetAdopted(
                ruleset=self.ruleset,
                version=self.version,
                settings=read_settings(table.ruleset, self.settings),
                package=self.package,
            )
        )


class TakeSeat(Action, verb="take-seat", gm_only=True):
    """A person sits down at the table, as GM, player or spectator."""

    sentence = "{seat} sits down[ as {role}]"

    seat: str = label("the person's name")
    role: str = choice("what the person does", tuple(Role), default=Role.PLAYER.value)

    def resolve(self, table: Table) -> None:
        """The GM's seat is number 0, everybody else gets the next number."""
        taken = table.seats
        known = taken.get(self.seat)
        if known is not None and known.present:
            table.refuse(f"{self.seat} already has a seat, as {known.role}.")
        if not self.seat or self.seat != self.seat.strip():
            table.refuse("A seat needs a name without blanks around it.")
        numbers = {taken_seat.number for taken_seat in taken.values()}
        free = 0 if self.role == Role.GM and 0 not in numbers else max(numbers | {0}) + 1
        table.record(
            events.SeatTaken(
                seat=self.seat, role=Role(self.role or Role.PLAYER), number=known.number if known else free
            )
        )


class LeaveSeat(Action, verb="leave-seat", gm_only=True):
    """A person leaves the campaign; what they played stays."""

    sentence = "{seat} leaves the table"

    seat: str = seat("the person's name")

    def resolve(self, table: Table) -> None:
        known = table.seats.get(self.seat)
        if known is None or not known.present:
            table.refuse(f"Nobody called {self.seat} sits at this table.")
        table.record(events.SeatLeft(seat=self.seat))
