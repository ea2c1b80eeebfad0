"""Notes and rulings, and how the words of a note are removed for good."""

from collections.abc import Mapping

from rollbook.domain import events
from rollbook.domain.actions.talk import TABLE, check_reader, reader_as_stored
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import character, engine_parameter, words
from rollbook.domain.rules.spelling import READER
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState


class WriteNote(Action, verb="note", by_any_seat=True):
    """Write something down: for the table, for the GM alone, or for one seat."""

    sentence = "writes a note[ about {about}]"

    text: str = words("the words", gm_only=False)
    to: str = words("who may read it: table, gm or a seat's name", default=TABLE, of=READER, gm_only=False)
    about: str = character("whom it is about", default="", gm_only=False)
    salt: str = engine_parameter(ParameterType.TEXT, "16 random bytes, in hexadecimal", default="")

    @property
    def visibility(self) -> str:
        """The reader, as its entry says it."""
        return "" if self.to == TABLE else self.to

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:  # noqa: ARG002
        """The seat as its name is stored."""
        return reader_as_stored(campaign, self.to)

    def resolve(self, table: Table) -> None:
        check_reader(table, self.to, TABLE)
        if self.about:
            table.character(self.about)
        table.record(events.NoteWritten(text=self.text, about=self.about, salt=self.salt))


class Redact(Action, verb="redact", gm_only=True, final=True):
    """Remove the words of a note for good, whisper, talk and handouts alike, and a picture with them: a matter of safety.

    That it happened stays on record.
    """

    sentence = "removes the words of a note"

    action: int = engine_parameter(ParameterType.NUMBER, "the note's action")
    why: str = engine_parameter(ParameterType.TEXT, "the reason, without the words")
    entries: tuple[int, ...] = engine_parameter(ParameterType.NUMBERS, "the entries whose words go")

    def resolve(self, table: Table) -> None:
        table.record(events.NoteRedacted(action=self.action, why=self.why, entries=self.entries))


class MakeRuling(Action, verb="ruling", gm_only=True):
    """Decide beyond or against the rules, and say why."""

    sentence = "makes a ruling[ about {about}]"

    reason: str = words("what is ruled, and why")
    about: str = character("whom it is about", default="")

    def resolve(self, table: Table) -> None:
        if self.about:
            table.character(self.about)
        table.record(events.RulingMade(reason=self.reason, about=self.about))
