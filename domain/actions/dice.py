"""Verbs for a table's agreements on dice, and for dice without an action of their own.

Fresh dice take the place of undone ones, each seat rolls as was agreed, and loose dice are rolled or drawn for corrections.
"""

from rollbook.domain import events
from rollbook.domain.actions.campaign import NAMES, REMOVABLE, STORED
from rollbook.domain.dice.record import StreamPlace
from rollbook.domain.dice.steps import ANY, DiceStep
from rollbook.domain.history.history import DRAW
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.handles import Handle, HandleKind
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import character, choice, dice, engine_parameter, flag, label, number, seat, words
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState

DICE, OVERRIDES = "dice", "overrides"
STREAM, PHYSICAL, EITHER = "stream", "physical", "either"
FORBIDDEN, GM_ONLY, OPEN = "forbidden", "gm", "open"

SETTLED = {DICE: (STREAM, PHYSICAL, EITHER), OVERRIDES: (FORBIDDEN, GM_ONLY, OPEN), NAMES: (STORED, REMOVABLE)}
"""The values that can be agreed on, by matter."""


def dice_of_seat(campaign: CampaignState, name: str) -> str:
    """The dice agreed for a seat, or else for all seats, or else ``either``."""
    agreed = campaign.agreed
    return agreed.get(f"{DICE}/{name}") or agreed.get(DICE) or EITHER


def overrides_of(campaign: CampaignState) -> str:
    """The agreement on replacing faces of the stream's dice: ``forbidden``, ``gm`` or (if there is none) ``open``."""
    return campaign.agreed.get(OVERRIDES) or OPEN


class GrantDice(Action, verb="grant-dice", gm_only=True, final=True):
    """Let an undone action be rolled again: its dice no longer wait for the same request.

    Without it the same request meets the same dice. The grant is recorded with its reason, and every audit lists it.
    """

    sentence = "lets #{action} be rolled again|lets dice be rolled again"

    action: int = number("the number of the action that was undone", minimum=1)
    why: str = words("why its dice may be rolled again")
    screen: bool = flag("its dice behind the screen instead of the open ones")
    session: int = engine_parameter(ParameterType.NUMBER, "the session whose dice they are")
    places: tuple[StreamPlace, ...] = engine_parameter(ParameterType.ROWS, "the places of its rolls in the stream")

    @property
    def visibility(self) -> str:
        """The GM alone for secret rolls, so that nobody else can count them."""
        return "gm" if self.screen else ""

    def resolve(self, table: Table) -> None:
        """Fresh dice are granted only for rolls that wait."""
        if not self.why.strip():
            table.refuse("Fresh dice need their reason, because everybody may ask for it: --why TEXT", parameter="why")
        if not self.places:
            other = "" if self.screen else " Those behind the screen are granted with --screen."
            table.refuse(
                f"No dice of action #{self.action} wait to be met again. Dice do that fell from the stream of the session "
                f"that is open, as soon as their action is undone (rollbook undo {self.action}).{other}",
                parameter="action",
            )
        places = tuple(StreamPlace(*place) for place in self.places)
        table.record(events.FreshDiceGranted(session=self.session, places=places, why=self.why))


class Agree(Action, verb="agree", gm_only=True, final=True):
    """Settle how the table deals with dice, and with people's names.

    ``dice`` of a seat, or of all: stream (proven), physical (typed in), either. ``overrides``: forbidden, gm (only what lies
    behind the screen), open. ``names`` of those who sit down from now on: stored (for ever), removable (for good, on request).
    """

    sentence = "settles how dice are rolled"

    matter: str = choice("what about", tuple(SETTLED))
    value: str = choice("what holds from now on", tuple(value for values in SETTLED.values() for value in values))
    whose: str = seat("whose dice; everybody's if nobody is named", default="")

    def resolve(self, table: Table) -> None:
        if self.value not in SETTLED[self.matter]:
            table.refuse(
                f"{self.matter} can be {', '.join(SETTLED[self.matter])}, not {self.value}.", parameter="value"
            )
        if self.whose and self.matter != DICE:
            table.refuse(
                f"{self.matter.title()} are settled for the whole table. Leave out the seat.", parameter="whose"
            )
        if self.whose and self.whose not in table.seats:
            table.refuse(f"There is no seat {self.whose}. At the table: {', '.join(table.seats)}.", parameter="whose")
        table.record(events.TableAgreed(matter=self.matter, value=self.value, seat=self.whose))


class RollDice(Action, verb="roll", by_any_seat=True):
    """Roll loose dice, for whatever the table wants to know."""

    sentence = "rolls {expression}[ for {purpose}]"
    handles = (Handle(kind=HandleKind.ROLL, what="expression"),)

    typed_dice = (DiceStep(effects={"the dice as they are written": ANY}),)

    expression: str = dice("what to roll, for example 2d6+1", gm_only=False)
    who: str = character("who rolls", default="", actor=True, gm_only=False)
    purpose: str = label("for what", default="roll", gm_only=False)

    def resolve(self, table: Table) -> None:
        if self.who:
            table.character(self.who)
        table.roll(self.expression, roller=self.who or table.seat, purpose=self.purpose)


class DrawFor(Action, verb=DRAW, gm_only=True, final=True):
    """Draw dice for a correction of an earlier action: once seen they are on record, whatever is decided then."""

    sentence = "draws fresh dice"

    typed_dice = (DiceStep(effects={"the die that a correction needs": ANY}),)

    action: int = engine_parameter(ParameterType.NUMBER, "the action that needs them")
    roller: str = engine_parameter(ParameterType.TEXT, "who rolls them there")
    purpose: str = engine_parameter(ParameterType.TEXT, "for what")
    ordinal: int = engine_parameter(ParameterType.NUMBER, "which of the rolls for that")
    sides: int = engine_parameter(ParameterType.NUMBER, "the die")

    def resolve(self, table: Table) -> None:
        table.roll(f"1d{self.sides}", roller=self.roller, purpose=self.purpose)
