"""Ports of a book besides its store, its read model and its seeds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import attrs

from rollbook.application.ports.clock import microseconds
from rollbook.domain.base.identifiers import ActionNumber, CampaignId
from rollbook.domain.base.records import Record

if TYPE_CHECKING:
    from rollbook.application.ports.rules_in_force import RulesInForce
    from rollbook.domain.events import ParameterValue
    from rollbook.domain.rules.action import Action
    from rollbook.domain.state.campaign_state import CampaignState


class PageSettings(Protocol):
    """Settings that the GMs of a store's campaigns have chosen for pages."""

    def words_for_foes(self, campaign: CampaignId) -> bool:
        """True if players see the condition of foes in words, and not in numbers."""

    def say_foes_in_words(self, campaign: CampaignId, *, wanted: bool) -> None:
        """Store the GM's choice. Raises RollbookError if it cannot be written."""


class TypedLines(Protocol):
    """Lines that people typed in the campaigns of a store: they go with words that are removed from a history."""

    def forget(
        self, campaigns: Iterable[CampaignId], action: ActionNumber, words: Collection[str] = frozenset()
    ) -> None:
        """Remove lines about a note; the action is the first campaign's, the others have copies of the ``words``."""

    def forget_all(self, campaigns: Iterable[CampaignId]) -> None:
        """Remove all lines of campaigns that are deleted."""


Patterns: TypeAlias = Callable[
    ["CampaignState", "type[Action]", Mapping[str, str], Callable[[str], None]],
    tuple[Mapping[str, str], dict[str, "ParameterValue"]],
]
"""A bestiary: what was typed for a verb with a pattern, and the values that the named pattern gives besides.

The last argument is told what the game cannot use of it. Raises NotFound for a name that nobody and nothing has, and
RollbookError for a pattern that cannot be read.
"""


@attrs.frozen(kw_only=True)
class Surroundings(Record):
    """The ports of a book: ``rules`` is None where no other computer shares the store.

    ``clock`` gives microseconds since 1970, UTC. ``say_line`` carries out a line that is said to a campaign: see
    ``Book``.
    """

    clock: Callable[[], int] = microseconds
    rules: RulesInForce | None = None
    typed_lines: TypedLines
    patterns: Patterns
    page_settings: PageSettings
    say_line: Callable[..., Any] | None = None
