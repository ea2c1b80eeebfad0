"""Pictures of a campaign: experience, hit points through a fight, luck with dice, resources, and damage.

``pictures_of`` gathers their numbers, ``svg`` and ``text`` draw them, for a page and for a terminal. Empty pictures are
left out.
"""

from __future__ import annotations

from collections.abc import Collection

from rollbook.domain.base.identifiers import CharacterId, EntryNumber
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.state.lookup import shown_names
from rollbook.projections.pictures import dice
from rollbook.projections.pictures.damage import Damage
from rollbook.projections.pictures.elements import STYLE
from rollbook.projections.pictures.experience import Experience
from rollbook.projections.pictures.hit_points import HitPoints
from rollbook.projections.pictures.letters import text
from rollbook.projections.pictures.picture import Bar, Form, Kind, Picture, Series, Wanted, course, written
from rollbook.projections.pictures.resources import Resources
from rollbook.projections.pictures.svg import svg

__all__ = ["STYLE", "Bar", "Form", "Kind", "Picture", "Series", "everything", "pictures_of", "svg", "text", "written"]


def everything(entry: RecordedEntry) -> bool:  # noqa: ARG001 - it is asked of every entry
    """True for every entry."""
    return True


def pictures_of(
    history: History, rulebook: Rulebook, wanted: Wanted = everything, *, in_words: Collection[CharacterId] = ()
) -> tuple[Picture, ...]:
    """The pictures of a campaign, or of its entries that are wanted, without empty ones.

    None shows the damage that characters ``in_words`` took.
    """
    gathering = (Experience(), HitPoints(rulebook), Resources(), Damage(in_words))
    entries: set[EntryNumber] = set()
    for step in course(history, wanted):
        if step.is_wanted:
            entries.add(step.entry.number)
        for each in gathering:
            each.take(step)
    state = history.state
    names = shown_names(state.characters.values())
    found = [picture for each in gathering for picture in each.pictures(names)]
    found += dice.pictures(history, entries, {**state.names_of_seats, **names})
    return tuple(sorted(found, key=lambda picture: ORDER.index(picture.kind)))


ORDER = tuple(Kind)
"""The order in which pictures are shown."""
