"""rollbook bestiary: stat blocks by name, from the files of monsters at hand."""

from collections.abc import Mapping, Sequence
from typing import cast

from rollbook.adapters.bestiary.library import blocks, keep, needed_of, written
from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.line_commands.declared import Words, argument, command, option, paged
from rollbook.adapters.line_commands.options import suggest_characters
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.local_files import paths
from rollbook.adapters.presentation.plain_text import printable
from rollbook.application.campaign import Campaign
from rollbook.application.verbs import verb_of
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import build
from rollbook.domain.rules.spelling import typed

JOIN = "join"
KEPT = ("kind", "sheet", "traits", "details", "gear")
"""Fields of a character that a row keeps."""


@command()
@argument("who", nargs=-1, suggest=suggest_characters)
@option("--as", "name", metavar="NAME", default="", help="What the row is called, if not as the character is.")
@paged
def bestiary(cli: CliContext, who: Words, name: str) -> None:
    """Show the stat blocks for join --like, or keep those of characters in a file of your own.

    \b
    rollbook bestiary                     the rows for this campaign's game: yours, and those that come with it
    rollbook bestiary wolf-1 --as wolf    keep the numbers of wolf-1 as a row of your own
    rollbook join --like wolf --count 4   four of them

    The file is bestiary.toml in your data folder, or the one that ROLLBOOK_BESTIARY names (docs/joining.md).
    """
    campaign = cli.campaign()
    game, join = campaign.state.ruleset, verb_of(campaign, JOIN)
    if name and len(who) != 1:
        raise RollbookError("--as names the row of one character. Name one.")
    if who:
        cli.print(f"Kept in {paths.bestiary_path()}: {', '.join(keep_rows(campaign, who, name))}.")
        return
    found = blocks(game, join)
    if cli.json:
        cli.data(*({"row": key, "file": block.file, "options": dict(block.options)} for key, block in found.items()))
    elif found:
        cli.print_columns(
            [[Text(key, "bold"), _shown(block.options), Text(block.file, "dim")] for key, block in found.items()]
        )
    else:
        cli.print(f"There is no stat block for {game} yet. Keep one: rollbook bestiary NAME")


def keep_rows(campaign: Campaign, who: Sequence[str], name: str) -> tuple[str, ...]:
    """Write characters as rows of the user's own file, for ``join --like``. Returns their names."""
    join, rows = verb_of(campaign, JOIN), {}
    for each in who:
        pattern = campaign.state.characters[campaign.character_id(each)]
        alike = build(join, {"name": pattern.name, join.pattern: pattern.id, **needed_of(join, pattern)})
        numbers = alike.settled(campaign.state, secret=False)
        said = {**needed_of(join, pattern), **{key: numbers[key] for key in KEPT if key in numbers}}
        rows[name or pattern.name] = written(campaign.state.ruleset, said, name or pattern.name)
    keep(paths.bestiary_path(), campaign.state.ruleset, rows)
    return tuple(rows)


def _shown(options: Mapping[str, object]) -> Text:
    said = (f"{name} {typed(cast('ParameterValue', value))}" for name, value in options.items())
    return Text(printable(", ".join(said)))
