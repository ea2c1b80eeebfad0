"""pictures."""

from pathlib import Path

import click

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.file_names import FileName
from rollbook.adapters.cli.parameters import command, for_option
from rollbook.adapters.cli.views.pictures import NOTHING, show_pictures
from rollbook.adapters.exports.chronicle.figures import write_drawings
from rollbook.adapters.line_commands.declared import paged
from rollbook.adapters.line_commands.filters import filter_of
from rollbook.adapters.line_commands.readers import campaign_for
from rollbook.application.view import CampaignView
from rollbook.domain.base.number_words import counted
from rollbook.projections.pictures import Kind, Picture, everything, pictures_of
from rollbook.projections.pictures.picture import Wanted


@command()
@click.argument("words", nargs=-1, metavar="[FILTER ...]")
@click.option(
    "--only", multiple=True, type=click.Choice([kind.value for kind in Kind]), help="Only these, of every fight."
)
@for_option("Only what this seat may see: player:mira, or table for everybody.")
@click.option("--svg", "folder", type=FileName(file_okay=False), help="Write each as SVG into this folder.")
@click.option("--overwrite", is_flag=True, help="With --svg: replace earlier drawings of that name.")
@paged
def pictures(
    cli: CliContext,
    /,
    *,
    words: tuple[str, ...],
    only: tuple[str, ...],
    reader: str,
    folder: str | None,
    overwrite: bool,
) -> None:
    """Experience over the sessions, hit points through the last fight, what the dice did, resources, who hurt whom.

    All of it is as corrected. The same as drawings for a page or a print: --svg FOLDER. With --json the numbers behind them.

    \b
    rollbook pictures session=3              of one session (docs/filters.md)
    rollbook pictures --only hit-points      every fight
    rollbook pictures --for table --svg .    what everybody may see, as files
    """
    campaign = campaign_for(cli.campaign(), reader, answered=cli.reader)
    if campaign.session.damage:
        cli.warn(campaign.session.damage)
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


def _wanted(cli: CliContext, campaign: CampaignView, words: tuple[str, ...]) -> Wanted:
    """Whether an entry fits a filter. Raises BadFilter with a caret under the fault."""
    if not words:
        return everything
    where = filter_of(words, lambda: cli.zone().rules)
    if campaign is cli.campaign():
        cli.project()
    lines = campaign.read_model.log(campaign.id, where=where, everything=True)
    entries = {line.entry for line in lines}
    return lambda entry: entry.number in entries


def _write(cli: CliContext, shown: list[Picture], folder: Path, *, overwrite: bool) -> None:
    files = write_drawings(shown, folder, overwrite=overwrite)
    if cli.json:
        cli.data({"files": [str(file) for file in files]})
    else:
        cli.print(f"{counted(len(files), 'drawing')} written: {', '.join(map(str, files))}" if files else NOTHING)
