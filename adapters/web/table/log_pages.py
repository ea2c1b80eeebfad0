"""Stretches of a log, as a page shows them: the newest cards, older ones, those that fit a filter, and news.

The cost depends on what is shown, however long the log is: rows are read backwards from the requested place.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

import attrs

from rollbook.adapters.web.table.card_making import cards_of, cards_of_actions, is_inserted, is_taken
from rollbook.adapters.web.table.cards import Card, CardKind
from rollbook.application.filtering import meant_by
from rollbook.application.view import CampaignView
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.base.records import Record
from rollbook.projections.session_log import LogLine, SqlCondition

PAGE = 40
"""Rows of the log on a new page, and in each further stretch."""
MOST_NEW = 120
"""Most new rows that are added to a page; with more, it shows the newest stretch instead."""


@attrs.frozen(kw_only=True)
class LogPage(Record):
    """A stretch of the log, oldest first. Older lines are before entry ``older`` (with a filter: place); 0: none.

    ``sought`` is the filter as it was typed, ``wrong`` the fault in it.
    """

    cards: tuple[Card, ...]
    older: int = 0
    sought: str = ""
    wrong: str = ""


@attrs.frozen(kw_only=True)
class News(Record):
    """News for a page: ``cards`` to add at its end, and ``replaced`` ones, which take the place of those it has.

    ``inserted`` are cards to put before one that the page has, with the action whose card that is.
    ``is_whole``: so much is new that ``cards`` replace all that the page has.
    """

    cards: tuple[Card, ...] = ()
    replaced: tuple[Card, ...] = ()
    inserted: tuple[tuple[list[Card], ActionNumber], ...] = ()
    is_whole: bool = False


def newest(campaign: CampaignView) -> LogPage:
    """The end of the log."""
    return before(campaign, 0)


def before(campaign: CampaignView, entry: EntryNumber) -> LogPage:
    """The stretch of the log before an entry; before 0 is its end."""
    where = SqlCondition("entry < ?", (entry,)) if entry else SqlCondition("1")
    rows = campaign.read_model.log(campaign.id, where=where, everything=True, last=PAGE)
    cards = cards_of(campaign, rows, are_last=not entry)
    return LogPage(cards=tuple(cards), older=rows[0].entry if rows and rows[0].entry > 1 else 0)


def fitting(campaign: CampaignView, sought: str, place: int = 0) -> LogPage:
    """The last actions that fit a filter, before a place in the order of play (0: at the end). Raises BadFilter."""
    where = meant_by(campaign.state, sought)
    if place:
        where &= SqlCondition("place < ?", (place,))
    rows = campaign.read_model.log(campaign.id, where=where, last=PAGE)
    cards = cards_of_actions(campaign, [row.action for row in rows])
    return LogPage(cards=tuple(cards), older=rows[0].place if len(rows) == PAGE else 0, sought=sought)


def news_since(campaign: CampaignView, since: EntryNumber | None) -> News:
    """The news after an entry: new cards, and cards of earlier actions that were corrected. After None all is new."""
    if since is None:
        return News(cards=newest(campaign).cards, is_whole=True)
    where = SqlCondition("entry > ?", (since,))
    rows = campaign.read_model.log(campaign.id, where=where, everything=True, last=MOST_NEW + 1)
    if len(rows) > MOST_NEW:
        return News(cards=newest(campaign).cards, is_whole=True)
    cards = tuple(cards_of(campaign, rows, are_last=True))
    new = {card.first.action for card in cards if card.kind is not CardKind.CORRECTION}
    among = [row for row in rows if is_inserted(row) and row.action not in new]
    return News(cards=cards, replaced=tuple(_corrected(campaign, rows)), inserted=tuple(_inserted(campaign, among)))


def _inserted(campaign: CampaignView, rows: Sequence[LogLine]) -> Iterator[tuple[list[Card], ActionNumber]]:
    """The cards of inserted actions that stand together, with the action that is played after them."""
    in_order = sorted(rows, key=lambda row: row.place)
    for _, each in groupby(enumerate(in_order), key=lambda numbered: numbered[1].place - numbered[0]):
        together = [row for _, row in each]
        after = SqlCondition("place = ?", (together[-1].place + 1,))
        following = campaign.read_model.log(campaign.id, where=after, everything=True)[0].action
        yield cards_of_actions(campaign, [row.action for row in together]), following


def _corrected(campaign: CampaignView, rows: Sequence[LogLine]) -> list[Card]:
    """The cards of earlier actions that were corrected, or before which another was inserted."""
    return cards_of_actions(campaign, corrected_in(rows))


def corrected_in(rows: Sequence[LogLine]) -> list[ActionNumber]:
    """The earlier actions that new rows correct, or before which they insert another."""
    new = {row.action for row in rows if is_taken(row)}
    concerned = (row.before if is_taken(row) else row.action for row in rows)
    return [action for action in concerned if action and action not in new]


def card_of(campaign: CampaignView, action: ActionNumber) -> Card | None:
    """The card of one action, None if it is not in the log."""
    return next(iter(cards_of_actions(campaign, [action])), None)


def corrections_of(campaign: CampaignView, card: Card) -> tuple[Card, ...]:
    """The cards of the corrections of an action, oldest first."""
    about = SqlCondition("action = ?", (card.first.action,))
    rows = campaign.read_model.log(campaign.id, where=about, everything=True)
    return tuple(cards_of(campaign, [row for row in rows if is_inserted(row) or not is_taken(row)]))
