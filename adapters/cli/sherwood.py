"""The evening of the demonstration: where it lies, and how it is told."""

from __future__ import annotations

import site
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from adapters.cli import show, show_sheet
from adapters.cli.ask import show_xp
from adapters.cli.evening import play_script
from adapters.cli.keep import show_audit
from domain.actions import slug
from domain.errors import NotFound
from domain.events import Kind
from projections.session_log import VOIDED

if TYPE_CHECKING:
    from adapters.campaign_book import CampaignBook
    from adapters.cli.desk import Desk

NAME = "Sherwood"
FILE = "sherwood.evening"


def evening() -> list[str]:
    """The lines of the script, out of the installation or from beside the program. Raises NotFound."""
    for place in _places():
        if place.is_file():
            return place.read_text(encoding="utf-8").splitlines()
    raise NotFound(f"The evening {FILE} did not come with this installation. Install rollbook again.")


def _places() -> Iterator[Path]:
    here = Path(__file__).resolve().parent
    yield here / FILE
    yield here.parents[1] / "examples" / FILE
    with suppress(PackageNotFoundError):
        yield from (Path(str(file.locate())) for file in distribution("rollbook").files or () if file.name == FILE)
    for root in (sys.prefix, str(here.parents[1]), site.getuserbase()):
        yield Path(root) / "share" / "rollbook" / FILE


def free_name(known: tuple[str, ...]) -> str:
    """Sherwood, or Sherwood 2 if that is there already, and so on."""
    count = 1
    while slug(name := NAME if count == 1 else f"{NAME} {count}") in known:
        count += 1
    return name


def play_demo(desk: Desk) -> None:
    """Play the evening and tell it."""
    lines = evening()
    name = free_name(desk.book(create=True).campaigns())
    as_json, desk.json, desk.briefly = desk.json, False, True
    if as_json:
        desk.out.quiet = True
    else:
        _heading(desk, f"{name}: an evening in {desk.store_path}")
    try:
        play_script(desk, lines, name)
        campaign = desk.campaign()
        _outlook(desk, campaign)
    finally:
        desk.json = as_json
    if as_json:
        head = campaign.head
        answers = {answer.question: str(answer.verdict) for answer in campaign.audit()}
        desk.data({"campaign": campaign.id, "actions": head.actions, "entries": head.entry, "audit": answers})


def _outlook(desk: Desk, campaign: CampaignBook) -> None:
    """What anybody can ask afterwards."""
    state = campaign.state
    _heading(desk, "rollbook audit")
    show_audit(desk, campaign.audit())
    _heading(desk, "rollbook sheet")
    players = [who for who in state.characters.values() if who.kind is Kind.PLAYER_CHARACTER]
    show_sheet.everybody(desk, [campaign.rulebook.sheet(who, state) for who in players])
    _heading(desk, "rollbook log")
    _excerpt(desk, campaign)
    _heading(desk, "rollbook xp")
    show_xp(desk, desk.book().read_model.xp(campaign.id), awards=False)
    _heading(desk, f'Now you: rollbook play · rollbook log · rollbook why {players[0].id} "to hit"')


def _excerpt(desk: Desk, campaign: CampaignBook) -> None:
    """The line that was taken back."""
    line = next(line for line in desk.book().read_model.log(campaign.id) if line.status == VOIDED)
    show.log(desk, [line], {line.corrected_by: campaign.seat(None)})


def _heading(desk: Desk, text: str) -> None:
    desk.say(Text(text, style="bold cyan"))
