"""``rollbook demo``: an evening in Sherwood, told in less than a page, in a store that can be played on."""

from __future__ import annotations

import click

from adapters.cli.desk import Desk
from adapters.cli.options import pass_desk, shared


@click.command(short_help="See an evening played, corrected and proven, in a minute.")
@shared
@pass_desk
def demo(desk: Desk) -> None:
    """Play a short evening into your store: a fight, a mistake taken back, dice proven. You can play on from there."""
    from adapters.cli.sherwood import play_demo

    play_demo(desk)
