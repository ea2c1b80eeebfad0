"""What an action changed on sheets."""

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.presentation.plain_text import printable, value_change
from rollbook.domain.corrections.sheet_changes import sheet_changes
from rollbook.domain.state.campaign_state import CampaignState


def sheet_change_lines(context: CommandContext, before: CampaignState) -> list[Text]:
    """What changed on the sheets of those who were there ``before``, a line each, as who is answered sees them."""
    seen = context.seen()
    after = seen.state
    lines: dict[str, dict[str, None]] = {}
    for change in sheet_changes(before, after, seen.session.rulebook):
        if change.character in before.characters and change.character in after.characters:
            text = f"{printable(change.label)} {value_change(change.before, change.after)}"
            lines.setdefault(change.character, {})[text] = None
    names = after.characters
    return [Text(f"    {printable(names[who].name)}: {' · '.join(texts)}", style="dim") for who, texts in lines.items()]
