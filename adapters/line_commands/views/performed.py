"""Views of a typed action's outcome: its line of the log, and its changes on sheets."""

from collections.abc import Iterator

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.json import merged
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views import log
from rollbook.adapters.presentation.plain_text import names_in, printable, seats_in, value_change
from rollbook.application.lines.line_answer import Performed
from rollbook.application.view import CampaignView
from rollbook.domain.corrections.sheet_changes import sheet_changes
from rollbook.domain.dice.stream import proof_code
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import EntropyAdded, SessionClosed, SessionOpened
from rollbook.domain.history.secrecy import may_see
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.projections.context import Context
from rollbook.projections.in_words import without_points
from rollbook.projections.log_rows import row
from rollbook.projections.session_log import LogLine

X_CARD_NOTICE = Text(
    "    The X-card lies on the table. The GM goes on: rollbook x-card --resume | --skip | --adjust | --rewind",
    "yellow",
)
"""Shown while an X-card lies on the table. Nothing is locked: the scene is marked as paused (Q0.80)."""


def show_entry(context: CommandContext, entry: RecordedEntry) -> None:
    """Print an entry as a line of the log; as JSON with its events."""
    if context.reader is not None and not may_see(context.reader, entry):
        context.print(f"#{entry.action} is recorded. What came of it is for the GM to see.")
        return
    campaign = context.seen()
    if campaign is context.campaign():
        line = context.projected_line(campaign, entry) or log_line_of(campaign, entry)
    else:
        from rollbook.application.visibility.sight import without_hidden

        entry = without_hidden(entry)
        line = log_line_of(campaign, entry)
    if context.json:
        context.data(merged(line, events=tuple(without_points(entry.events, campaign.session.in_words))))
    else:
        log.show_line(context, line)


def show_performed(context: CommandContext, taken: Performed) -> None:
    """Print what happened; in brief, without the changes on sheets."""
    with context.answering(taken.seat):
        campaign = context.campaign()
        for entry in taken.entries:
            show_entry(context, entry)
        if len(taken.entries) > 1 and not context.json:
            first, last = taken.entries[0].action, taken.entry.action
            context.print(Text(f"    That was one action each: undo {first}-{last} takes them all back.", "dim"))
        for remark in taken.unused if context.reader is None or may_see(context.reader, taken.entry) else ():
            context.warn(remark)
        if context.json:
            return
        if not context.brief:
            context.print(*sheet_change_lines(context, taken.before))
        context.print(*(Text(f"    {text}", "dim") for entry in taken.entries for text in notices(campaign, entry)))
        if campaign.state.paused and not context.brief:
            context.print(X_CARD_NOTICE)


def notices(campaign: CampaignView, entry: RecordedEntry) -> Iterator[str]:
    """Lines that the table should note down after an entry: codes of dice, and receipts."""
    for event in entry.events:
        if isinstance(event, SessionOpened) and event.commit_table:
            code = proof_code(bytes.fromhex(event.commit_table))
            yield f"The dice are committed: {code}. Note it: at the end it proves them."
        if isinstance(event, EntropyAdded) and campaign.state.session is not None:
            yield f"Mixed to {campaign.state.session.mix_code}. Note it, too."
        if isinstance(event, SessionClosed):
            yield f"Receipt: {campaign.receipt()}. Note it."


def log_line_of(campaign: CampaignView, entry: RecordedEntry) -> LogLine:
    """The line of the log for an entry."""
    state = campaign.state
    session = state.session.number if state.session else 0
    names = names_in(state)
    context = Context(
        session,
        state.scene,
        state.scenes,
        names,
        seats_in(state),
        shown=names,
        words_for_foes=campaign.session.words_for_foes,
        foes=set(campaign.session.in_words),
    )
    return row(campaign.id, entry, context, campaign.session.rulebook)


def sheet_change_lines(context: CommandContext, before: CampaignState) -> list[Text]:
    """A line for each character there ``before`` whose sheet has changed, as the reader sees it."""
    seen = context.seen()
    after = seen.state
    lines: dict[str, dict[str, None]] = {}
    for change in sheet_changes(before, after, seen.session.rulebook):
        if change.character in before.characters and change.character in after.characters:
            text = f"{printable(change.label)} {value_change(change.before, change.after)}"
            lines.setdefault(change.character, {})[text] = None
    names = after.characters
    return [Text(f"    {printable(names[who].name)}: {' · '.join(texts)}", "dim") for who, texts in lines.items()]
