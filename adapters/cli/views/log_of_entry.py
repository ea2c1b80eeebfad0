"""The line of the log for an entry that was just made, before it is projected."""

from adapters.campaign import Campaign
from adapters.wording import names_in
from domain.entries import RecordedEntry
from projections.context import Context
from projections.log_rows import row
from projections.session_log import LogLine


def log_line_of(campaign: Campaign, entry: RecordedEntry, *, known_only: bool = False) -> LogLine:
    """What the log will say of it; ``known_only`` calls nobody by name whom the table does not know."""
    state = campaign.state
    names = names_in(state)
    if known_only:
        names = {who: name for who, name in names.items() if not state.characters[who].hidden}
    session = state.session.number if state.session else 0
    return row(campaign.id, entry, Context(session, state.scene, state.scenes, names), campaign.rulebook.words)
