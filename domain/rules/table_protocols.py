"""Parts of an action and of a ruleset that the table knows at which the action is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from rollbook.domain.base.identifiers import CharacterId
    from rollbook.domain.rules.sheet import Sheet
    from rollbook.domain.state.campaign_state import CampaignState, Character


class Taken(Protocol):
    """The part of an action that a table knows."""

    verb: ClassVar[str]

    def characters_named(self) -> tuple[CharacterId, ...]:
        """The characters whom the action names, sorted: the targets in a request for dice."""

    def parameter_with(self, value: object) -> str:
        """The parameter that has this value, or else the first that holds it among others; "" for none."""

    @classmethod
    def has_parameter(cls, name: str) -> bool:
        """True if the verb has a parameter of that name."""


class PlayedBy(Protocol):
    """The part of a ruleset that a table knows."""

    @property
    def key(self) -> str: ...

    def verb(self, name: str) -> object: ...

    @property
    def settings(self) -> type[Any]: ...

    @property
    def sheet(self) -> Callable[[Character, CampaignState], Sheet]: ...

    @property
    def entered_as(self) -> Mapping[str, str]: ...

    @property
    def time_passed(self) -> Callable[..., None]: ...

    @property
    def round_seconds(self) -> Callable[..., int]: ...

    @property
    def session_opened(self) -> Callable[..., None]: ...

    @property
    def session_closed(self) -> Callable[..., None]: ...

    @property
    def experience_awarded(self) -> Callable[..., None]: ...

    @property
    def character_changed(self) -> Callable[..., None]: ...
