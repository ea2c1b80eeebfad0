"""Other faces in the place of dice that came from the stream: the GM's, never hidden, with what was rolled kept beside them."""

from __future__ import annotations

from typing import Any

import click

from adapters.cli import correct
from adapters.cli.desk import Desk
from adapters.cli.options import ACTION, FACES, pass_desk, shared


def _overriding(command: Any) -> Any:
    """The options of every correction; --dice means the new faces here, so real dice are --typed."""
    command = correct.correcting(command)
    command.__click_params__ = [option for option in command.__click_params__ if option.name != "dice"]
    for option in (
        click.option("--typed", "dice", type=FACES, metavar="FACES", help="Real dice for what was never rolled: 4,3."),
        click.option(
            "--die", "first", type=click.IntRange(1), default=1, help="From which of its dice on (usually 1)."
        ),
        click.option("--dice", "faces", type=FACES, required=True, metavar="FACES", help="The new faces: 15, or 15,4."),
    ):
        command = option(command)
    return command


@click.command(short_help="Put other faces in the place of dice that were rolled.")
@click.argument("action", type=ACTION, metavar="N")
@_overriding
@shared
@pass_desk
def override(desk: Desk, /, action: int, faces: tuple[int, ...], first: int, **how: Any) -> None:
    """Put other faces in the place of an action's dice that came from the stream, in the order in which they fell.

    Dice that are not named stay, and whatever came after and depends on the action is played again. What really fell stays
    in the history, and every audit lists it beside the reason; overridden dice are never called proven. Whether this is
    done at all is for the table to say: rollbook do agree overrides forbidden|gm|open.

    \b
    rollbook override 12 --dice 15 --why "the die was cocked"
    rollbook override 12 --dice 6 --die 2 --why "maximum damage, we said"
    rollbook redo 12 --revision 1          what really fell counts again
    """
    campaign = desk.campaign()
    number = action or correct.last_correctable(desk, campaign)
    if how["only_look"]:
        how["why"] = how["why"] or "only looked at"
    correct.make_correction(desk, how, lambda said: campaign.override(number, faces, first=first, **said), "Overridden")
