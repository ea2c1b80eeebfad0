"""rollbook replay: a session again, step by step, in the terminal or as a page."""

import signal
import sys
import time

import click
from rich.console import Console
from rich.control import Control

from rollbook.adapters.cli.context import CliContext
from rollbook.adapters.cli.keys import keys_in, typed_keys
from rollbook.adapters.cli.replay_player import Player
from rollbook.adapters.cli.replay_screen import ReplayScreen, Ruler, print_steps
from rollbook.adapters.line_commands.declared import Counted, argument, command, option
from rollbook.adapters.line_commands.options import as_known_option, campaign_for, for_option
from rollbook.application.replays import CORRECTIONS, SCENES, Replay, session_stretch
from rollbook.application.view import CampaignView
from rollbook.domain.base.identifiers import EntryNumber
from rollbook.projections.numbers import Bounds, number_range
from rollbook.projections.replay import Course, Moments

LOOK = 0.2
"""Seconds after which the size of the terminal is looked at again."""


@command()
@argument("actions", required=False, metavar="[12-40]")
@option("--session", kind=Counted(1), metavar="S", help="Only one session (default: the last one).")
@for_option("Only what this seat may see: player:mira, or table for everybody.")
@as_known_option
@option(
    "--every",
    kind=click.FloatRange(0.05, 60),
    metavar="SECONDS",
    help="An even pace. Without it, the pace of the session, whose long pauses are cut short.",
)
@option("--paused", is_flag=True, help="Wait for a key before it plays.")
def replay(
    cli: CliContext,
    actions: str | None,
    session: int | None,
    reader: str,
    corrected: bool,
    every: float | None,
    paused: bool,
) -> None:
    """Watch a session again: the fight or the scene as it stood at every step, and the log beside it.

    As it was then, mistakes and all, each correction when it came; or, with --as-corrected and the key v, as it counts today.
    The keys stand below, and ? explains them. Without a terminal the steps are printed one after the other; with --json as one
    object a line.

    \b
    rollbook replay                        the last session
    rollbook replay --session 3 --every 1  another one, a step a second
    rollbook replay 12-40                  from action 12 to action 40; 1- is everything
    rollbook replay --for player:mira      what Mira saw
    """
    if actions is not None and session is not None:
        raise click.UsageError("Name a session or a range of actions, not both.")
    campaign = campaign_for(cli, reader)
    found = _opened(cli, campaign, actions, session)
    if not found.numbers:
        cli.print("Nothing has happened yet.")
        return
    course = Course.CORRECTED if corrected else Course.THEN
    if cli.json or not sys.stdout.isatty() or cli.out.is_dumb_terminal:
        print_steps(cli, found, course)
        return
    player = Player(found, course, every or 0.0, is_playing=not paused)
    try:
        _watch(cli.out, player, f"{campaign.state.name}{f' · {reader}' if reader else ''}")
    except KeyboardInterrupt:
        return


def _opened(cli: CliContext, campaign: CampaignView, actions: str | None, session: int | None) -> Replay:
    """Open the stretch that is asked for, and read only that of the history. Raises NotFound if there is none."""
    if campaign is cli.campaign():
        cli.project()
    log = cli.read_model if campaign is cli.campaign() else campaign.read_model
    first, last = _actions(campaign, actions) if actions is not None else session_stretch(campaign, log, session)
    moments = Moments(campaign.session.history.look_back(), campaign.session.rulebook)
    return Replay(campaign.id, moments, log, first, last)


def _actions(campaign: CampaignView, text: str) -> tuple[EntryNumber, EntryNumber]:
    """First and last entry from one action to what came right after another, corrections too."""
    bounds: Bounds | None = number_range(text)
    if bounds is None:
        raise click.UsageError(f"{text!r} is not a range of actions, such as 12-40 or 12-.")
    history = campaign.session.history.look_back()
    low, high = bounds
    first = history.entry_of(low) if low else 1
    if high is None or high >= history.actions:
        return first, history.head
    return first, history.entry_of(high + 1) - 1


def _watch(console: Console, player: Player, title: str) -> None:
    replay = player.replay
    screen = ReplayScreen(console, player, Ruler(replay.places(SCENES), replay.places(CORRECTIONS)), title)
    size, due = None, 0.0
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the terminal is put in order before the end
    with typed_keys() as wait, console.screen():
        has_changed = True
        while not player.has_left:
            if has_changed or console.size != size:
                size = console.size
                console.control(Control.home())
                console.print(screen, end="")
            if has_changed:
                seconds = player.seconds_left()
                due = time.monotonic() + seconds if seconds is not None else 0.0
            left = due - time.monotonic() if due else LOOK
            typed = wait(min(max(left, 0.0), LOOK))
            has_changed = bool(typed)
            for key in keys_in(typed):
                player.press(key)
            if not typed and due and time.monotonic() >= due:
                player.step(1)  # its time is over
                has_changed = True
