"""Handouts, portraits and maps: words and pictures that are laid on the table, or given to one seat.

The bytes of a picture are beside the history in the store, and an action has their digest.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from rollbook.domain import events
from rollbook.domain.actions.talk import TABLE, check_reader, reader_as_stored
from rollbook.domain.base.board_place import BoardPlace, place_on_board, tenths
from rollbook.domain.base.errors import Refused
from rollbook.domain.events import Event, ParameterValue, Role
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import character, engine_parameter, label, words
from rollbook.domain.rules.spelling import READER
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState

A_FILE = "a file with a picture: PNG, JPEG or WebP of up to 2 MB"
ON_IT = "what is on the picture, for those who do not see it"


class ShowsPicture(Action):
    """An action that may show a picture. Without a media type there is none; without a digest it was removed."""

    digest: str = engine_parameter(
        ParameterType.TEXT, "the SHA-256 of the picture, in hexadecimal", default="", by_program=True
    )
    media: str = engine_parameter(ParameterType.TEXT, "the media type of the picture", default="", by_program=True)
    width: int = engine_parameter(ParameterType.NUMBER, "pixels from left to right", default=0, by_program=True)
    height: int = engine_parameter(ParameterType.NUMBER, "pixels from top to bottom", default=0, by_program=True)
    salt: str = engine_parameter(ParameterType.TEXT, "16 random bytes, in hexadecimal", default="")
    picture: ClassVar[str]
    alt: ClassVar[str]

    def check_taken(self, campaign: CampaignState, role: Role) -> None:  # noqa: ARG002
        """Refuse a file that nobody has read: the program that takes the action puts the digest in its place."""
        if self.picture:
            raise Refused(f"The picture {self.picture} cannot be read from here.", parameter="picture")

    @classmethod
    def amended(
        cls,
        had: Mapping[str, ParameterValue],
        changes: Mapping[str, ParameterValue],
        outcome: tuple[Event, ...],  # noqa: ARG003
    ) -> Mapping[str, ParameterValue]:
        """The parameters with changes. The name of a file is no part of what was shown: another picture is another action."""
        return {**had, **{name: value for name, value in changes.items() if name != "picture"}}

    def shown(self, **how: Any) -> events.PictureShown:
        """The event of the picture; ``how`` it is shown."""
        return events.PictureShown(
            digest=self.digest,
            media=self.media,
            width=self.width,
            height=self.height,
            alt=self.alt,
            salt=self.salt,
            **how,
        )


class Handout(ShowsPicture, verb="handout", gm_only=True):
    """Give the table, or one seat, something to read or a picture to look at. It stays with those who got it."""

    sentence = "hands out"

    title: str = label("what it is called")
    text: str = words("its words", default="", to_the_end=True)
    to: str = words("who gets it: table, gm or a seat's name; several with commas", default=TABLE, of=READER)
    picture: str = words(A_FILE, default="")  # type: ignore[misc] # a parameter, as every field of an action
    alt: str = words(ON_IT, default="")  # type: ignore[misc]

    @property
    def visibility(self) -> str:
        """The reader, as its entry says it."""
        return "" if self.to == TABLE else self.to

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:  # noqa: ARG002
        """The seat as its name is stored."""
        return reader_as_stored(campaign, self.to)

    def resolve(self, table: Table) -> None:
        check_reader(table, self.to, TABLE)
        if "\n" in self.title:  # the first line of what is recorded is the title
            table.refuse("The title of a handout is one line.", "title")
        table.record(events.NoteWritten(text="\n".join(filter(None, (self.title, self.text))), salt=self.salt))
        if self.media:
            table.record(self.shown())


class Portrait(ShowsPicture, verb="portrait"):
    """Give a character a portrait, or take it away."""

    sentence = "has another portrait"

    who: str = character("whose portrait it is", actor=True)
    picture: str = words(A_FILE, default="", to_the_end=True, gm_only=False)  # type: ignore[misc]
    alt: str = words(ON_IT, default="", gm_only=False)  # type: ignore[misc]

    def resolve(self, table: Table) -> None:
        table.record(self.shown(portrait_of=table.character(self.who).id))


class LayMap(ShowsPicture, verb="lay-map", gm_only=True):
    """Lay a picture under the squares of the board, or take it away. Those who see it, see it as long as it lies there."""

    sentence = "lays a map"

    picture: str = words(A_FILE, default="")  # type: ignore[misc] # a parameter, as every field of an action
    across: str = words("how many squares wide it is: 24, or 24.5", default="")
    at: str = words("the square under its lower left corner, or a place in it: -2,3 or 0.5,0", default="0,0")
    alt: str = words(ON_IT, default="")  # type: ignore[misc]

    def resolve(self, table: Table) -> None:
        place = place_on_board(self.across, self.at) if self.media else BoardPlace()
        if place is None:
            what = "at" if tenths(self.across) else "across"
            table.refuse(
                "A map needs its width in squares, as in --across 24, and may have its corner, as in --at -2,3.", what
            )
        table.record(self.shown(on_board=True, across=place.across, west=place.west, south=place.south))
