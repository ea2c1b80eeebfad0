"""x-card: stop the scene anonymously; the GM answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from adapters.cli import perform
from adapters.cli.context import CliContext
from adapters.cli.json import events_data, line_data
from adapters.cli.parameters import ACTION, pass_cli, shared_parameters
from adapters.cli.views import log
from adapters.cli.views.preview import preview_data, show_preview
from adapters.verb_line import find_seat
from domain.corrections.rewind import REASON, rewound_actions

if TYPE_CHECKING:
    from domain.corrections import Preview
    from domain.entries import RecordedEntry

RAISE, ANSWER = "x-card", "after-x-card"
ANSWERS = ("resume", "skip", "adjust", "rewind")


@click.command(RAISE)
@click.argument("words", nargs=-1, metavar="")
@click.option("--resume", is_flag=True, help="The GM: the scene goes on.")
@click.option("--skip", is_flag=True, help="The GM: the scene is passed over.")
@click.option("--adjust", is_flag=True, help="The GM: the scene goes on in another way.")
@click.option("--rewind", is_flag=True, help="The GM: the scene is taken back, and is told anew.")
@click.option("--to", type=ACTION, metavar="N", help="Rewind as far as action N, which stands, not to the beginning.")
@click.option("--preview", "only_look", is_flag=True, help="Only show what rewinding would take back.")
@click.option("-y", "--yes", is_flag=True, help="Rewind without asking.")
@click.option("--seat", hidden=True)
@click.option("--acting-seat", hidden=True)
@click.option("--why", hidden=True)
@click.option("--secret", is_flag=True, hidden=True)
@shared_parameters
@pass_cli
def x_card(cli: CliContext, /, *, words: tuple[str, ...], seat: str | None, **more: Any) -> None:
    """Stop the scene. Anybody may, at any moment; nobody is asked why, and nothing anywhere says who it was.

    \b
    rollbook x-card                    the scene pauses
    rollbook x-card --skip             the GM: how the table goes on (or --resume, --adjust)
    rollbook x-card --rewind           the GM: take the whole scene back, with all that follows from it
    rollbook x-card --rewind --to 41   the GM: take back what came after #41

    What rewinding takes back is shown first, as with undo, and stays readable in the log.
    """
    _check_anonymous(words, more)
    how = _chosen_answer(more)
    if how != "rewind" and (more["to"] is not None or more["yes"] or more["only_look"]):
        raise click.UsageError("--to, --preview and --yes go with --rewind.")
    if how is None:
        _show_entry(cli, cli.campaign().do(RAISE))
    elif how == "rewind":
        _rewind(cli, seat, more)
    else:
        _show_entry(cli, cli.campaign().do(ANSWER, {"how": how}, seat=_seat_named(cli, seat)))


def _chosen_answer(more: dict[str, Any]) -> str | None:
    """How the GM says that the table goes on; None raises the card. Raises UsageError for two ways at once."""
    said = [how for how in ANSWERS if more[how]]
    if len(said) > 1:
        raise click.UsageError(f"The table goes on in one way: --{said[0]} or --{said[1]}, not both.")
    return said[0] if said else None


def _check_anonymous(words: tuple[str, ...], more: dict[str, Any]) -> None:
    """Nobody has to give a reason, so none is taken; a seat is no reason, and is not even looked at."""
    if words or more["why"] is not None or more["secret"]:
        raise click.UsageError(
            f"{RAISE} asks nobody why, and everybody sees it. Type it alone: rollbook {RAISE}  (nothing was recorded)"
        )


def _seat_named(cli: CliContext, seat: str | None) -> str | None:
    return None if seat is None else find_seat(cli.campaign().state, seat)


def _show_entry(cli: CliContext, entry: RecordedEntry) -> None:
    """Say what happened. What was before is no matter: neither the card nor its answer touches a sheet."""
    campaign = cli.campaign()
    cli.select_campaign(campaign)
    cli.project()
    line = log.log_line_of(campaign, entry)
    if cli.json:
        cli.data({**line_data(line), "facts": events_data(entry)})
        return
    log.show_line(cli, line)
    if campaign.state.paused:
        cli.print(perform.x_card_notice())


def _rewind(cli: CliContext, seat: str | None, more: dict[str, Any]) -> None:
    """Preview, ask, take back, answer."""
    campaign = cli.campaign()
    if not (more["yes"] or more["only_look"] or cli.is_interactive):
        raise click.UsageError("Nobody is there to be asked. Add --yes to rewind, or --preview to see it.")
    made = _preview_rewind(cli, seat, more["to"])
    told = preview_data(campaign, made, applied=False) if cli.json else {}
    if not cli.json:
        show_preview(cli, campaign, made)
    applied = not more["only_look"] and (more["yes"] or click.confirm("Rewind?", default=False))
    if cli.json:
        cli.data({**told, "applied": applied})
    if applied:
        many = sum(one.fate == "voided" for one in made.consequences)
        campaign.apply(made)
        _show_entry(cli, campaign.do(ANSWER, {"how": "rewind", "rewound": many}, seat=_seat_named(cli, seat)))
    elif not cli.json:
        cli.print("Nothing was recorded; the X-card still lies on the table.")


def _preview_rewind(cli: CliContext, seat: str | None, to: int | None) -> Preview:
    """What rewinding would take back. Raises Refused if no card lies there, or somebody else than the GM answers."""
    campaign = cli.campaign()
    sitting = _seat_named(cli, seat)
    campaign.try_out(ANSWER, {"how": "rewind", "rewound": 1}, seat=sitting)
    with cli.wait("Playing it again …"):
        history = campaign.history
        last = next((action for action, entry in reversed(list(history.outcomes())) if entry), 0)
        found = rewound_actions(history, campaign.rulebook, last if to == 0 else to or 0)
        return campaign.undo(*found, reason=REASON, seat=sitting)
