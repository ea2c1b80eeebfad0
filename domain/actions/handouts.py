"""Handouts and portraits: words and pictures that are laid on the table, or given to one seat.

The bytes of a picture are beside the history in the store. An action has its digest, which ``keep_picture`` of the
application gives it.
"""

from collections.abc import Mapping

from rollbook.domain import events
from rollbook.domain.actions.talk import TABLE, check_reader, reader_as_stored
from rollbook.domain.events import Event, ParameterValue
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import character, engine_parameter, label, words
from rollbook.domain.rules.spelling import READER
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState


class ShowsPicture(Action):
    """An action that may show a picture. Without a media type there is none; without a digest it was removed."""

    digest: str = engine_parameter(
        ParameterType.TEXT, "the SHA-256 of the picture, in hexadecimal", default="", by_program=True
    )
    media: str = engine_parameter(ParameterType.TEXT, "the media type of the picture", default="", by_program=True)
    width: int = engine_parameter(ParameterType.NUMBER, "pixels from left to right", default=0, by_program=True)
    height: int = engine_parameter(ParameterType.NUMBER, "pixels from top to bottom", default=0, by_program=True)
    salt: str = engine_parameter(ParameterType.TEXT, "16 random bytes, in hexadecimal", default="")
    alt: str = words("what is on the picture, for those who do not see it", default="", gm_only=False)

    def shown(self, portrait_of: str = "") -> events.PictureShown:
        """The event of the picture."""
        return events.PictureShown(
            portrait_of=portrait_of,
            digest=self.digest,
            media=self.media,
            width=self.width,
            height=self.height,
            alt=self.alt,
            salt=self.salt,
        )


class Handout(ShowsPicture, verb="handout", gm_only=True):
    """Give the table, or one seat, something to read or a picture to look at. It stays with those who got it."""

    sentence = "hands out"

    title: str = label("what it is called", default="")
    text: str = words("its words", default="")
    to: str = words("who gets it: table, gm or a seat's name", default=TABLE, of=READER)

    @property
    def visibility(self) -> str:
        """The reader, as its entry says it."""
        return "" if self.to == TABLE else self.to

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:  # noqa: ARG002
        """The seat as its name is stored, and the title as the first line of the words."""
        return {**reader_as_stored(campaign, self.to), **titled(self.title, self.text)}

    @classmethod
    def amended(
        cls,
        had: Mapping[str, ParameterValue],
        changes: Mapping[str, ParameterValue],
        outcome: tuple[Event, ...],  # noqa: ARG003
    ) -> Mapping[str, ParameterValue]:
        """The words under another title, or other words under the same."""
        title, _, text = str(had.get("text", "")).partition("\n")
        said = {"title": title, "text": text, **changes}
        return {**had, **changes, "title": "", "text": "", **titled(str(said["title"]), str(said["text"]))}

    def resolve(self, table: Table) -> None:
        check_reader(table, self.to, TABLE)
        table.record(events.NoteWritten(text=self.text, salt=self.salt))
        if self.media:
            table.record(self.shown())


def titled(title: str, text: str) -> Mapping[str, ParameterValue]:
    """The words of a handout as they are stored: its title is their first line."""
    return {"title": "", "text": f"{title}\n{text}"} if title else {}


class Portrait(ShowsPicture, verb="portrait"):
    """Give a character a portrait, or take it away."""

    sentence = "has another portrait"

    who: str = character("whose portrait it is", actor=True)

    def resolve(self, table: Table) -> None:
        table.record(self.shown(portrait_of=table.character(self.who).id))
