"""Performs a typed action and shows its outcome."""

from collections.abc import Iterator, Sequence

import attrs

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.json import merged
from rollbook.adapters.cli.styled import Text
from rollbook.adapters.cli.views import log
from rollbook.adapters.cli.views.log_of_entry import log_line_of
from rollbook.adapters.cli.views.sheet_changes import sheet_change_lines
from rollbook.application.campaign import Campaign
from rollbook.application.lines.typed_turns import turns_of, unused_dice
from rollbook.application.lines.verb_line import LineError, parse
from rollbook.application.visibility.sight import without_hidden
from rollbook.domain.base.records import Record
from rollbook.domain.dice.stream import proof_code
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import EntropyAdded, SessionClosed, SessionOpened
from rollbook.domain.history.secrecy import may_see
from rollbook.domain.rules.action import Action
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.projections.in_words import without_points

X_CARD_NOTICE = Text(
    "    The X-card lies on the table. The GM goes on: rollbook x-card --resume | --skip | --adjust | --rewind",
    "yellow",
)
"""Shown while an X-card lies on the table. Nothing is locked: the scene is marked as paused (Q0.80)."""


@attrs.frozen
class Performed(Record):
    """What a line did: an entry for each action, and what it had no use for: of a stat block, of typed dice.

    It is answered by what ``seat`` may see (None: nobody said who acts); ``before`` is the campaign before it as they saw it.
    """

    seat: str | None
    before: CampaignState
    entries: tuple[RecordedEntry, ...]
    unused: tuple[str, ...] = ()

    @property
    def entry(self) -> RecordedEntry:
        """The entry of the action, of several the last."""
        return self.entries[-1]


def perform(
    cli: CliContext, verb: type[Action], said: Sequence[str], *, seat: str | None = None, command: str = ""
) -> Performed:
    """Take the action that these words after its verb mean. Raises RollbookError; then nothing was recorded.

    The verb is one that the state of the campaign has, which has just been read. ``seat`` acts where the words do not say who;
    ``command`` is an id of the command, see ``Campaign.play``.
    """
    spoken = parse(verb, said)
    if verb.anonymous and (spoken.why or spoken.secret):
        raise LineError(f"{verb.verb} asks nobody why, and everybody sees it: leave out --why and --secret.")
    unused: list[str] = []
    acting = None if verb.anonymous else spoken.seat

    def take(campaign: Campaign) -> tuple[RecordedEntry, ...]:
        turns = turns_of(campaign, verb, spoken, seat=seat, said=unused.append)
        entries = campaign.take_together(turns, command=command)
        unused.extend(unused_dice(turns[-1], *entries))
        return entries

    with cli.answering(acting, take):
        before = cli.seen().state
        entries = take(cli.campaign())
    return Performed(acting, before, entries, tuple(dict.fromkeys(unused)))


def show_entry(cli: CliContext, entry: RecordedEntry) -> None:
    """One entry, as a line of the log; as JSON with its events."""
    if cli.reader is not None and not may_see(cli.reader, entry):
        cli.print(f"#{entry.action} is recorded. What came of it is for the GM to see.")
        return
    campaign = cli.seen()
    if campaign is cli.campaign():
        line = cli.projected_line(campaign, entry) or log_line_of(campaign, entry)
    else:
        entry = without_hidden(entry)
        line = log_line_of(campaign, entry)
    if cli.json:
        cli.data(merged(line, events=tuple(without_points(entry.events, campaign.in_words))))
    else:
        log.show_line(cli, line)


def show_performed(cli: CliContext, taken: Performed) -> None:
    """Say what happened; in brief, without what the sheets say now."""
    with cli.answering(taken.seat):
        _show_performed(cli, taken)


def _show_performed(cli: CliContext, taken: Performed) -> None:
    campaign = cli.campaign()
    for entry in taken.entries:
        show_entry(cli, entry)
    if len(taken.entries) > 1 and not cli.json:
        first, last = taken.entries[0].action, taken.entry.action
        cli.print(Text(f"    That was one action each: undo {first}-{last} takes them all back.", style="dim"))
    for remark in taken.unused if cli.reader is None or may_see(cli.reader, taken.entry) else ():
        cli.warn(remark)
    if cli.json:
        return
    if not cli.brief:
        cli.print(*sheet_change_lines(cli, taken.before))
    cli.print(*(Text(f"    {text}", style="dim") for entry in taken.entries for text in notices(campaign, entry)))
    if campaign.state.paused and not cli.brief:
        cli.print(X_CARD_NOTICE)


def notices(campaign: Campaign, entry: RecordedEntry) -> Iterator[str]:
    """What the table should note down after an entry."""
    for event in entry.events:
        if isinstance(event, SessionOpened) and event.commit_table:
            code = proof_code(bytes.fromhex(event.commit_table))
            yield f"The dice are committed: {code}. Note it: at the end it proves them."
        if isinstance(event, EntropyAdded) and campaign.state.session is not None:
            yield f"Mixed to {campaign.state.session.mix_code}. Note it, too."
        if isinstance(event, SessionClosed):
            yield f"Receipt: {campaign.receipt()}. Note it."
