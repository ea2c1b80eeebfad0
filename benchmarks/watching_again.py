"""A step of a replay in a long campaign: how things stood is worked out, and the screen drawn, in processor time."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from rich.console import Console

from benchmarks.long_fight import CAMPAIGN, written
from benchmarks.measures import Row, Scale, milliseconds, processor_seconds
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


def _step(console: Console, screen: ReplayScreen, player: Player, key: str) -> float:
    begun = processor_seconds()
    player.press(key)
    console.print(screen, end="")
    return processor_seconds() - begun
