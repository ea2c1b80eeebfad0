"""Taking an action that somebody typed, and telling what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import attrs
from rich.text import Text

from adapters.cli import show
from adapters.codec import CODEC
from adapters.spoken import Misspoken, find_seat, read, take_apart
from domain.campaign import Campaign
from domain.dice import commit_code
from domain.events import SessionClosed, SessionOpened
from domain.history import Entry
from domain.receipts import receipt_of
from domain.verbs import Action

if TYPE_CHECKING:
    from adapters.campaign_book import CampaignBook
    from adapters.cli.desk import Desk


@attrs.frozen
class Taken:
    """An action that is recorded, and the campaign as it was before."""

    before: Campaign
    entry: Entry


def take(campaign: CampaignBook, action: type[Action], said: Sequence[str]) -> Taken:
    """Take the action that these words after its verb mean. Raises RollbookError; then nothing was recorded."""
    spoken = take_apart(action, said)
    if action.anonymous and (spoken.why or spoken.secret):
        raise Misspoken(f"{action.verb} asks nobody why, and everybody sees it: leave out --why and --secret.")
    before = campaign.state
    entry = campaign.do(
        action.verb,
        read(action, spoken.given, before),
        seat=None if spoken.seat is None or action.anonymous else find_seat(before, spoken.seat),
        typed=spoken.dice,
        secret=spoken.secret,
        reason=spoken.why,
    )
    return Taken(before, entry)


def tell(desk: Desk, campaign: CampaignBook, taken: Taken) -> None:
    """Say what happened; in brief, without what the sheets say now."""
    line = show.line_of(campaign, taken.entry)
    if desk.json:
        desk.data({**show.line_data(line), "facts": facts(taken.entry)})
        return
    show.happened(desk, line)
    if not desk.briefly:
        desk.say(*show.standing(taken.before, campaign))
    desk.say(*(Text(f"    {text}", style="dim") for text in notices(campaign, taken.entry)))
    if campaign.state.paused and not desk.briefly:
        desk.say(paused())


def paused() -> Text:
    """What is to be seen while an X-card lies on the table. Nothing is locked: the scene is marked as paused (Q0.80)."""
    return Text(
        "    The X-card lies on the table. The GM goes on: rollbook x-card --resume | --skip | --adjust | --rewind",
        "yellow",
    )


def facts(entry: Entry) -> list[dict[str, Any]]:
    """The facts of an entry as JSON has them."""
    found = []
    for fact in entry.facts:
        name, data = CODEC.encode(fact)
        found.append({"event": name.partition("@")[0], **json.loads(data)})
    return found


def notices(campaign: CampaignBook, entry: Entry) -> Iterator[str]:
    """What the table should note down after an entry."""
    for fact in entry.facts:
        if isinstance(fact, SessionOpened) and fact.commit_table:
            code = commit_code(bytes.fromhex(fact.commit_table))
            yield f"The dice are committed: {code}. Note it: at the end it proves them."
        if isinstance(fact, SessionClosed):
            head = campaign.head
            yield f"Receipt: {receipt_of(campaign.id, head.shown, head.state.session)}. Note it."
