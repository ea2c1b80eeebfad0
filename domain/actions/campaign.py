"""Verbs that begin a campaign, seat people at its table, and choose its house rules and time zone."""

from collections.abc import Mapping

from rollbook.domain import events
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.identifiers import SeatName
from rollbook.domain.base.letters import caseless, composed
from rollbook.domain.events import Event, ParameterValue, Role, Scalar
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import choice, engine_parameter, label, seat, settings
from rollbook.domain.rules.ruleset import read_settings, ruleset_at, settings_fields
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState, Seat
from rollbook.domain.state.lookup import seat_of

ZONE = "zone"
"""The matter of an agreement that says it; what is agreed is the name of a zone, as the IANA has it."""

UTC_NAME = "UTC"

NAMES, STORED, REMOVABLE = "names", "stored", "removable"
"""The matter of an agreement on people's names: a new seat is stored under the name, or under a word of chance.

Of a word of chance nothing can be told, and the name beside it can be removed for good.
"""


def has_removable_names(campaign: CampaignState) -> bool:
    """True if the names of those who sit down from now on can be removed for good."""
    return campaign.agreed.get(NAMES) == REMOVABLE


def zone_name(campaign: CampaignState) -> str:
    """The name of the zone in which a campaign has its days and hours: UTC as long as no other was chosen."""
    return campaign.agreed.get(ZONE) or UTC_NAME


class SetTimeZone(Action, verb="time-zone", gm_only=True):
    """Choose the time zone in which days and hours of the campaign are read, in filters and in every export.

    Nothing that is recorded changes: every moment is kept in UTC.
    """

    sentence = "sets the time zone"

    zone: str = label("the zone, as Europe/Berlin or UTC")

    def resolve(self, table: Table) -> None:
        """Record the zone. Zones change with the years, so no rule asks for it: that was asked when it was typed."""
        table.record(events.TableAgreed(matter=ZONE, value=self.zone))


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
    zone: str = engine_parameter(ParameterType.TEXT, "the time zone of its days and hours", default="")
    names: str = engine_parameter(ParameterType.TEXT, "whether people’s names can be removed for good", default="")

    def resolve(self, table: Table) -> None:
        table.record(events.CampaignStarted(name=self.name, identity=self.identity))
        for matter, value in ((ZONE, self.zone), (NAMES, self.names)):
            if value:
                table.record(events.TableAgreed(matter=matter, value=value))
        if not self.ruleset:
            return
        game = ruleset_at(table)
        if game is None:
            raise Refused(f"The ruleset {self.ruleset} is not installed.", parameter="ruleset")
        table.record(
            events.RulesetAdopted(
                ruleset=self.ruleset,
                version=self.version,
                settings=read_settings(game, self.settings),
                package=self.package,
            )
        )


class TakeSeat(Action, verb="take-seat", gm_only=True):
    """A person sits down at the table, as GM, player or spectator."""

    sentence = "{seat} sits down[ as {role}]"

    seat: str = label("the person's name")
    role: str = choice("what the person does", tuple(Role), default=Role.PLAYER.value)
    called: str = engine_parameter(ParameterType.TEXT, "another name, by which the person is called", default="")
    is_named: bool = engine_parameter(ParameterType.FLAG, "whether the name is apart from the seat", default=False)
    salt: str = engine_parameter(ParameterType.TEXT, "16 random bytes, in hexadecimal", default="")

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:  # noqa: ARG002
        """The seat that a person of that name had before, or else the name in its composed form."""
        return {"seat": seat_of(campaign, self.seat) or composed(self.seat), "called": composed(self.called)}

    @classmethod
    def amended(
        cls,
        had: Mapping[str, ParameterValue],
        changes: Mapping[str, ParameterValue],
        outcome: tuple[Event, ...],  # noqa: ARG003
    ) -> Mapping[str, ParameterValue]:
        """The seat stays the one that was taken; another name is what the person is called."""
        said = {name: value for name, value in changes.items() if name != "seat"}
        if "seat" in changes:
            name = composed(str(changes["seat"]))
            said["called"] = "" if name == had["seat"] else name
        return {**had, **said}

    def resolve(self, table: Table) -> None:
        """Record the seat: the GM's is number 0, any other gets the next number."""
        taken = table.seats
        known = taken.get(self.seat)
        if known is not None and known.present:
            table.refuse(f"{known.shown} already has a seat, as {known.role}.", parameter="seat")
        if not self.seat or any(name != name.strip() for name in (self.seat, self.called)):
            table.refuse("A seat needs a name without blanks around it.", parameter="seat")
        if self.salt and _is_called(taken, self.called, but=self.seat):
            table.refuse(f"Somebody else at this table is called {self.called}.", parameter="seat")
        numbers = {taken_seat.number for taken_seat in taken.values()}
        free = 0 if self.role == Role.GM and 0 not in numbers else max(numbers | {0}) + 1
        table.record(
            events.SeatTaken(
                seat=self.seat, role=Role(self.role or Role.PLAYER), number=known.number if known else free
            )
        )
        if self.called or self.is_named:
            table.record(named(self.seat, self.called, self.salt))


def named(seat: SeatName, name: SeatName, salt: str) -> Event:
    """The event that a person is called so from now on. Histories from before names could be removed have no salt."""
    if salt or not name:
        return events.SeatNamed(seat=seat, name=name, salt=salt)
    return events.SeatRenamed(seat=seat, name=name)


def _is_called(taken: Mapping[str, Seat], name: str, *, but: SeatName) -> bool:
    """True if somebody in another seat goes by a name, in any spelling."""
    wanted = caseless(name)
    others = (other for seat, other in taken.items() if seat != but)
    return any(wanted in (caseless(other.name), caseless(other.called)) for other in others)


class RenameSeat(Action, verb="rename-seat", gm_only=True):
    """Call a person otherwise from now on; the seat, its links and its dice stay as they are."""

    sentence = "gives a seat another name"

    seat: str = seat("who has another name now")
    name: str = label("the new name")
    salt: str = engine_parameter(ParameterType.TEXT, "16 random bytes, in hexadecimal", default="")

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:  # noqa: ARG002
        """The name in its composed form."""
        return {"name": composed(self.name)}

    def resolve(self, table: Table) -> None:
        known = table.seats.get(self.seat)
        if known is None:
            table.refuse(f"Nobody called {self.seat} sits at this table.", parameter="seat")
        is_removed = not (self.name or self.salt)  # for good, so that it is played again without it
        if not is_removed and (not self.name or self.name != self.name.strip()):
            table.refuse("A seat needs a name without blanks around it.", parameter="name")
        if not is_removed and _is_called(table.seats, self.name, but=self.seat):
            table.refuse(f"Somebody else at this table is called {self.name}.", parameter="name")
        if self.name == known.shown:
            table.refuse(f"{known.shown} is called that already.", parameter="name")
        table.record(named(self.seat, self.name, self.salt))


class LeaveSeat(Action, verb="leave-seat", gm_only=True):
    """A person leaves the campaign; what they played stays."""

    sentence = "{seat} leaves the table"

    seat: str = seat("the person's name")

    def resolve(self, table: Table) -> None:
        known = table.seats.get(self.seat)
        if known is None or not known.present:
            table.refuse(f"Nobody called {self.seat} sits at this table.", parameter="seat")
        table.record(events.SeatLeft(seat=self.seat))


class ChangeHouseRules(Action, verb="house-rules", gm_only=True):
    """Change house rules: from here on the table plays by them, and what happened so far stays as it was."""

    sentence = "changes the house rules"

    settings: Mapping[str, Scalar] = settings("house rules, as key=value")

    def resolve(self, table: Table) -> None:
        """The same ruleset, with what is named here in the place of what held until now."""
        game = ruleset_at(table)
        if game is None:
            table.refuse(
                "This campaign plays without a ruleset, so it has no house rules. Choose one first: rollbook adopt"
            )
        if not self.settings:
            known = ", ".join(field.name for field in settings_fields(game))
            table.refuse(
                f"Say which house rule changes, as key=value. {game.key} has: {known or 'none'}.", parameter="settings"
            )
        named = read_settings(game, self.settings)
        now = table.campaign
        table.record(
            events.RulesetAdopted(
                ruleset=game.key, version=game.version, settings={**now.settings, **named}, package=now.package
            )
        )
