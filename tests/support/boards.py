"""The golden screens of the board, a scene and a fight in each game: ``python -m tests.support.boards`` draws them again.

Look at the changes as a player would before keeping them.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from rollbook.adapters.cli.drawing import drawn_blocks
from rollbook.adapters.line_commands.views.board import blocks
from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.projections.status import status_of

FOLDER = Path(__file__).parents[1] / "adapters" / "cli" / "boards"
GAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.session")))
WIDTH = 80
MARK = "# Screen: "
"""The line after which the screen of that name is taken."""


def screen(campaign: Campaign, width: int = WIDTH) -> str:
    """The screen of a campaign, without colours and the blanks at the ends of lines."""
    paper = StringIO()
    console = Console(file=paper, width=width, force_terminal=True, color_system=None, highlight=False, emoji=False)
    console.print(drawn_blocks(blocks(status_of(campaign.state, campaign.session.rulebook))))
    return "".join(f"{line.rstrip()}\n" for line in paper.getvalue().splitlines())


def played(game: str) -> Iterator[tuple[str, Campaign]]:
    """The campaign of a game's session at each of its marks, by the name of the screen."""
    with TemporaryDirectory() as home, open_book(Path(home) / "rollbook.db", Path(home) / "seeds") as book:
        campaign = book.new("The golden table", game)
        for line in (FOLDER / f"{game}.session").read_text(encoding="utf-8").splitlines():
            if line.startswith(MARK):
                yield line.removeprefix(MARK), campaign
            elif line and not line.startswith("#"):
                campaign.say(line)


def golden(game: str, name: str) -> Path:
    """Path of a screen."""
    return FOLDER / f"{game}-{name}.txt"


if __name__ == "__main__":
    for each in GAMES:
        for called, at in played(each):
            golden(each, called).write_text(screen(at), encoding="utf-8")
