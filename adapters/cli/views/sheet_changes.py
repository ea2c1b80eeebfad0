"""What an action changed on sheets."""

from adapters.campaign import Campaign
from adapters.cli.context import CliContext
from adapters.cli.styled import Text
from adapters.sight import seen_changes
from adapters.wording import printable, value_change
from domain.corrections.sheet_changes import sheet_changes
from domain.state import CampaignState


def sheet_change_lines(cli: CliContext, before: CampaignState, campaign: Campaign) -> list[Text]:
    """What an action did to the sheets of those who were there before, a line each."""
    after = campaign.state
    lines: dict[str, dict[str, None]] = {}
    changes = sheet_changes(before, after, campaign.rulebook)
    for change in changes if cli.reader is None else seen_changes(changes, after):
        if change.character in before.characters and change.character in after.characters:
            text = f"{printable(change.label)} {value_change(change.before, change.after)}"
            lines.setdefault(change.character, {})[text] = None
    names = after.characters
    return [Text(f"    {printable(names[who].name)}: {' · '.join(texts)}", style="dim") for who, texts in lines.items()]
