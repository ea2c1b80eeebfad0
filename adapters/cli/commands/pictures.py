"""rollbook pictures: drawings of luck, time and bonds as SVG files."""

from collections.abc import Sequence
from pathlib import Path

import attrs
import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.parameters import FileName
from rollbook.adapters.exports.chronicle.figures import write_drawings
from rollbook.adapters.line_commands.declared import Words, argument, command, option, paged
from rollbook.adapters.line_commands.filters import fitting_entries
from rollbook.adapters.line_commands.json import json_shape
from rollbook.adapters.line_commands.options import campaign_for, for_option
from rollbook.adapters.line_commands.styled import Text
from rollbook.application.view import CampaignView
from rollbook.domain.base.number_words import counted
from rollbook.projections.pictures import Kind, Picture, everything, pictures_of, text
from rollbook.projections.pictures.picture import Wanted

IN_A_PIPE = 80
"""Columns of a picture where there is no terminal."""
NOTHING = "There is nothing to draw yet."


@command()
@argument("words", nargs=-1, metavar="[FILTER ...]")
@option("--only", multiple=True, kind=click.Choice([kind.value for kind in Kind]), help="Only these, of every fight.")
@for_option("Only what this seat may see: player:mira, or table for everybody.")
@option("--svg", "folder", kind=FileName(file_okay=False), help="Write each as SVG into this folder.")
@option("--overwrite", is_flag=True, help="With --svg: replace earlier drawings of that name.")
@paged
def pictures(cli: CliContext, words: Words, only: Words, reader: str, folder: str | None, overwrite: bool) -> None:
    """Experience over the sessions, hit points through the last fight, what the dice did, resources, who hurt whom.

    All of it is as corrected. The same as drawings for a page or a print: --svg FOLDER. With --json the numbers behind them.

    \b
    rollbook pictures session=3              of one session (docs/filters.md)
    rollbook pictures --only hit-points      every fight
    rollbook pictures --for table --svg .    what everybody may see, as files
    """
    campaign = campaign_for(cli, reader)
    with cli.bar("Reading the history"):
        wanted = _wanted(cli, campaign, words)
        found = pictures_of(campaign.history, campaign.session.rulebook, wanted, in_words=campaign.session.in_words)
    shown = [picture for picture in found if not only or picture.kind in only]
    if folder is not None:
        _write(cli, shown, Path(folder), overwrite=overwrite)
    elif cli.json:
        cli.data(*shown)
    else:
        show_pictures(cli, shown, every_fight=bool(only))


def _wanted(cli: CliContext, campaign: CampaignView, words: Words) -> Wanted:
    """The filter of the entries. Raises BadFilter with a caret under the fault."""
    if not words:
        return everything
    text = " ".join(words)
    if campaign is cli.campaign():
        cli.project()
    entries = fitting_entries(cli, campaign.read_model, campaign.id, text)
    return lambda entry: entry.number in entries


def _write(cli: CliContext, shown: list[Picture], folder: Path, *, overwrite: bool) -> None:
    files = write_drawings(shown, folder, overwrite=overwrite)
    said = f"{counted(len(files), 'drawing')} written: {', '.join(map(str, files))}" if files else NOTHING
    cli.tell({"files": [str(file) for file in files]}, said)


json_shape(
    Picture,
    *("kind", "key", "title", "said", "unit", "session", "first", "last", "columns", "rows"),
    series=lambda picture: [
        {"name": series.name, "said": series.said, "points": series.points} for series in picture.series
    ],
    bars=lambda picture: [attrs.asdict(bar) for bar in picture.bars],
)


def show_pictures(cli: CliContext, found: Sequence[Picture], *, every_fight: bool) -> None:
    """Print pictures; of several fights the last one, unless every one is asked for."""
    fights = [picture for picture in found if picture.kind is Kind.HIT_POINTS]
    left_out = [] if every_fight else fights[:-1]
    shown = [picture for picture in found if picture not in left_out]
    for place, picture in enumerate(shown):
        title, *lines = text(picture, cli.out.width if cli.is_terminal else IN_A_PIPE).split("\n")
        cli.print(*([""] if place else []), Text(title, "bold yellow"), *(Text(line) for line in lines))
        if left_out and picture is fights[-1]:
            cli.print(Text(f"… and {counted(len(left_out), 'earlier fight')}: --only hit-points", "dim"))
    if not shown:
        cli.print(NOTHING)
