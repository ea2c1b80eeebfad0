"""The line of the log for an entry that was just made, before it is projected."""

from rollbook.adapters.presentation.plain_text import names_in, seats_in
from rollbook.application.view import CampaignView
from rollbook.domain.entries import RecordedEntry
from rollbook.projections.context import Context
from rollbook.projections.log_rows import row
from rollbook.projections.session_log import LogLine


def log_line_of(campaign: CampaignView, entry: RecordedEntry) -> LogLine:
    """What the log will say of it."""
    state = campaign.state
    session = state.session.number if state.session else 0
    context = Context(
        session,
        state.scene,
        state.scenes,
        names_in(state),
        seats_in(state),
        words_for_foes=campaign.session.words_for_foes,
        foes=set(campaign.session.in_words),
    )
    return row(campaign.id, entry, context, campaign.session.rulebook.words)
