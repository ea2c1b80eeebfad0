"""A step of a replay in a long campaign, worked out and drawn, and the page of a whole one, in processor time."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path

from rich.console import Console

from benchmarks.long_fight import CAMPAIGN, written
from benchmarks.measures import Row, Scale, milliseconds, processor_seconds
from benchmarks.stored_story import stored_story
from rollbook.adapters.cli.replay_player import Player
from rollbook.adapters.cli.replay_screen import ReplayScreen, Ruler
from rollbook.adapters.wiring import open_book
from rollbook.application.replays import CORRECTIONS, SCENES, Replay
from rollbook.projections.replay import Moments
from rollbook.rulesets import storytoken

EVENTS = 100_000
STEPS = 150
KEYS = {"forwards": "right", "backwards": "left", "a turn on": "down"}
WANTED = 0.02
"""Seconds of a step: beyond, a key that is held down would be felt."""
COLUMNS, LINES = 120, 40
CROWD, CROWD_EVENTS = 130, 26_000
"""Characters in play, and events: some 10,000 entries."""
PAGE_WANTED = 2.0
"""Seconds until the page of such a replay is written."""


def watching_again(folder: Path, scale: Scale) -> Iterator[Row]:
    """Time of a step in a replay while an arrow key is held down."""
    store = folder / "watched.db"
    written(store, EVENTS, storytoken.RULESET)
    with open_book(store, folder / "seeds") as book:
        campaign = book.campaign(CAMPAIGN)
        campaign.session.project()
        last = campaign.head.entry
        moments = Moments(campaign.session.history.look_back(), campaign.session.rulebook)
        replay = Replay(campaign.id, moments, campaign.read_model, last - 2_000, last)
        player = Player(replay, is_playing=False)
        player.place = 1_000
        console = Console(file=StringIO(), width=COLUMNS, height=LINES, force_terminal=True)
        screen = ReplayScreen(console, player, Ruler(replay.places(SCENES), replay.places(CORRECTIONS)), "")
        for name, key in KEYS.items():
            times = [_step(console, screen, player, key) for _ in range(STEPS)]
            yield Row(
                name=f"a step of a replay at {EVENTS:,} events, {name}, worked out and drawn / what is wanted",
                ours=milliseconds(times),
                other=milliseconds([WANTED]),
                ratio=statistics.median(times) / WANTED,
                bound=1.0,
                at_least=False,
            )


def exporting(folder: Path, scale: Scale) -> Iterator[Row]:
    """Time of a command that writes the page of a long replay with many characters in play."""
    store, page = folder / "crowd.db", folder / "crowd.html"
    stored_story(store, CROWD_EVENTS, CROWD)
    command = (sys.executable, "-m", "rollbook", "--store", str(store), "export", str(page), "--overwrite")
    times = [_seconds(command, {**os.environ, "ROLLBOOK_SEEDS": str(folder / "crowd.seeds")}) for _ in range(3)]
    yield Row(
        name=f"`rollbook export replay.html`, {CROWD_EVENTS:,} events, {CROWD} characters / what is wanted",
        ours=milliseconds(times),
        other=milliseconds([PAGE_WANTED]),
        ratio=statistics.median(times) / PAGE_WANTED,
        bound=1.0,
        at_least=False,
    )


def _seconds(command: tuple[str, ...], environment: Mapping[str, str]) -> float:
    """Seconds of the processor that a program takes."""
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=dict(environment))
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime - begun.ru_utime + ended.ru_stime - begun.ru_stime


def _step(console: Console, screen: ReplayScreen, player: Player, key: str) -> float:
    begun = processor_seconds()
    player.press(key)
    console.print(screen, end="")
    return processor_seconds() - begun
