"""Talk at the table: words for everybody, and whispers to one seat or to the GM."""

from collections.abc import Mapping

from rollbook.domain import events
from rollbook.domain.actions.characters import GM
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import engine_parameter, words
from rollbook.domain.rules.spelling import READER
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import seat_of

TABLE = "table"
"""The reader that is everybody."""


def reader_as_stored(campaign: CampaignState, to: str) -> Mapping[str, ParameterValue]:
    """The parameter ``to`` with a seat's name as it is stored, nothing if it is that already."""
    seat = "" if to in (TABLE, GM) else seat_of(campaign, to)
    return {"to": seat} if seat not in ("", to) else {}


def check_reader(table: Table, to: str, *others: str) -> None:
    """Refuse what is not for the GM or a seat, or for one of the ``others``."""
    if to not in (GM, *others) and to not in table.seats:
        either = "" if not others else f"the {', the '.join(others)}, "
        table.refuse(f"Nobody called {to} sits at this table: it can be for {either}the gm or a seat.", parameter="to")


class Say(Action, verb="say", by_any_seat=True):
    """Say something to the whole table."""

    sentence = "says"

    text: str = words("what is said", gm_only=False)
    salt: str = engine_parameter(ParameterType.TEXT, "16 random bytes, in hexadecimal", default="")

    def resolve(self, table: Table) -> None:
        table.record(events.NoteWritten(text=self.text, salt=self.salt))


class Whisper(Action, verb="whisper", by_any_seat=True):
    """Say something to one seat, or to the GM: nobody else hears it but the GM."""

    sentence = "whispers"

    to: str = words("who hears it: gm or a seat's name", of=READER, gm_only=False)
    text: str = words("what is said", gm_only=False)
    salt: str = engine_parameter(ParameterType.TEXT, "16 random bytes, in hexadecimal", default="")

    @property
    def visibility(self) -> str:
        """The reader, as its entry says it."""
        return self.to

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:  # noqa: ARG002
        """The seat as its name is stored."""
        return reader_as_stored(campaign, self.to)

    def resolve(self, table: Table) -> None:
        check_reader(table, self.to)
        table.record(events.NoteWritten(text=self.text, salt=self.salt))
