"""Growth of costs with a campaign: ``python -m benchmarks.growth [--most 1000000] [--years] [--folder DIR]``.

A storytoken campaign is played through the engine, session after session. At each size a command, an undo, an amendment of
something a few minutes old, an audit and a rebuild are each run as a program of their own. ``--years`` plays ten years of a
session a week in four games instead, and times lines typed at a prompt, from Enter to the next prompt.

Playing takes longer than measuring. With ``--folder`` the campaigns that were played are kept there, and what is there already
is only measured, in a copy on the disk.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs
import click

from benchmarks.games import close
from benchmarks.measures import ROOT
from benchmarks.starting import Typist
from benchmarks.years import LIVES, SESSIONS, begun, events_in, play_on, sessions_of, try_to_take

GAME = "storytoken"
SIZES = (1_000, 10_000, 100_000, 1_000_000)
SESSION = 100
"""Actions of a session while a campaign grows to a size: short ones, so that it is met closely."""
LONGEST = ("storytoken", "luckpoint", "grid", "srd5")
"""The games in which ten years are played."""
LINES = 101
"""Lines that are typed at a prompt."""
CURVES = Path("docs/growth.svg")
STORE = "rollbook.db"


@attrs.frozen
class Cost:
    """Processor seconds and memory of a command in a campaign of so many events."""

    command: str
    events: int
    seconds: float
    megabytes: float


@attrs.frozen
class Tonight:
    """The open session at the end of a campaign: who is there, and what may be said."""

    hero: str
    foe: str
    deed: str
    joined: int


def begin_session(store: Path, game: str) -> Tonight:
    """Open a session with a foe, and twenty deeds of the hero."""
    campaign = begun(store, game)
    session = sessions_of(campaign) + 1
    life, foe = LIVES[game], f"foe-{session}-1"
    joins = life.foe.format(foe=foe)
    for line in (f'open-session "Session {session}"', f'scene "Tonight {session}"', joins):
        try_to_take(campaign, line)
    joined = campaign.head.actions
    deed = life.deeds[-1].format(foe=foe)
    for _ in range(20):
        try_to_take(campaign, deed)
    campaign.session.project()
    close(campaign)
    return Tonight(life.hero, foe, deed, joined)


def commands(tonight: Tonight) -> dict[str, tuple[str, ...]]:
    """The commands to measure, by name."""
    why = ("--why", "measuring", "--yes")
    return {
        "a command": ("do", *tonight.deed.split()),
        "undo": ("undo", *why),
        "amend": ("amend", str(tonight.joined), "--adjust", f"{tonight.foe} hp=+1", *why),
        "audit": ("audit",),
        "rebuild": ("rebuild",),
    }


def cost(store: Path, name: str, said: tuple[str, ...], events: int, times: int) -> Cost:
    """Cost of a command as a program of its own: the median of several times."""
    found = [_once(store, said) for _ in range(times)]
    seconds = statistics.median(each["cpu"] for each in found)
    return Cost(name, events, seconds, max(each["peak_kb"] for each in found) / 1024)


def _once(store: Path, said: tuple[str, ...]) -> dict[str, float]:
    program = [sys.executable, "-m", "benchmarks.one_command", *said, "--store", str(store)]
    done = subprocess.run(program, check=False, capture_output=True, text=True, cwd=ROOT, env=_surroundings(store))
    *said_otherwise, last = done.stderr.splitlines()
    if done.returncode:
        raise click.ClickException("\n".join((" ".join(program), done.stdout, *said_otherwise)))
    found: dict[str, float] = json.loads(last)
    return found


def _surroundings(store: Path) -> dict[str, str]:
    return {**os.environ, "ROLLBOOK_SEEDS": str(store.with_name("seeds"))}


def grow(folder: Path, most: int) -> list[Cost]:
    """Play a campaign on to each size, and measure there."""
    found, shorter = [], None
    for size in (size for size in SIZES if size <= most):
        shorter = grown(folder / f"{GAME}-{size}" / STORE, size, shorter)
        with on_disk(shorter) as store:
            tonight, events = begin_session(store, GAME), events_in(store)
            click.echo(f"{events:,} events", err=True)
            times = 5 if size < 100_000 else 3 if size < 1_000_000 else 1
            for name, said in commands(tonight).items():
                found.append(cost(store, name, said, events, times))
                click.echo(f"  {name}: {found[-1].seconds:.2f} s, {found[-1].megabytes:.0f} MB", err=True)
    return found


def grown(store: Path, size: int, shorter: Path | None) -> Path:
    """The store of a campaign of so many events: as it lies there, or played on from a shorter one."""
    if not store.exists():
        unfinished = store.parent.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        if shorter is None:
            unfinished.mkdir(parents=True)
        else:
            shutil.copytree(shorter.parent, unfinished)
        campaign = begun(unfinished / STORE, GAME)
        while events_in(unfinished / STORE) < size:
            play_on(campaign, GAME, max(1, size // 5_000), SESSION)
        close(campaign)
        unfinished.rename(store.parent)
    return store


@contextmanager
def on_disk(kept: Path) -> Iterator[Path]:
    """A copy of a store and all that belongs to it, to be measured."""
    with tempfile.TemporaryDirectory() as folder:
        yield shutil.copytree(kept.parent, Path(folder) / "copy") / kept.name


def table(costs: list[Cost]) -> str:
    """The costs as a Markdown table: a row a command, a column a size."""
    sizes = sorted({cost.events for cost in costs})
    lines = [f"| | {' | '.join(f'{size:,} events' for size in sizes)} |", f"| --- |{' ---: |' * len(sizes)}"]
    for name in dict.fromkeys(cost.command for cost in costs):
        cells = (_cell(cost) for cost in costs if cost.command == name)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(cost: Cost) -> str:
    return f"{cost.seconds:.2f} s, {cost.megabytes:.0f} MB"


def draw(costs: list[Cost], target: Path) -> None:
    """The curves of time and memory, as an SVG."""
    from matplotlib import rcParams  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - only here
    from matplotlib.figure import Figure  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

    rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "rollbook", "font.family": "sans-serif"})
    figure = Figure(figsize=(9, 3.8), layout="constrained")
    for axes, what, of in zip(
        figure.subplots(1, 2),
        ("seconds", "megabytes"),
        ("processor seconds of a whole command", "megabytes at its peak"),
        strict=True,
    ):
        for name in dict.fromkeys(cost.command for cost in costs):
            line = [cost for cost in costs if cost.command == name]
            axes.plot([cost.events for cost in line], [getattr(cost, what) for cost in line], marker="o", label=name)
        axes.set(xscale="log", yscale="log", xlabel="events in the campaign", title=of)
        axes.grid(visible=True, alpha=0.3)
    figure.axes[0].legend(frameon=False)
    figure.savefig(target, format="svg", metadata={"Date": None, "Creator": None})


def live_for_years(folder: Path, game: str) -> str:
    """Ten years of a session a week in a game, and what a line at the prompt takes in the end, as a row of a table."""
    kept = folder / f"{game}-years" / STORE
    kept.parent.mkdir(parents=True, exist_ok=True)
    campaign = begun(kept, game)
    with click.progressbar(range(sessions_of(campaign), SESSIONS), label=game, file=sys.stderr) as sessions:
        for _ in sessions:
            play_on(campaign, game, 1)
    close(campaign)
    with on_disk(kept) as store:
        tonight = begin_session(store, game)
        typist = Typist(store, _surroundings(store))
        typist.type(tonight.deed)
        lines = sorted(typist.type(tonight.deed) for _ in range(LINES))
        typist.leave()
        campaign, size = begun(store, game), store.stat().st_size / 2**20
        return (
            f"| {game} | {SESSIONS} | {campaign.head.actions:,} | {events_in(store):,} | {size:.0f} MB "
            f"| {lines[LINES // 2] * 1000:.1f} ms | {lines[9 * LINES // 10] * 1000:.1f} ms |"
        )


@click.command()
@click.option("--most", default=SIZES[-1], help="The largest size that is measured, in events.")
@click.option("--years", is_flag=True, help="Ten years of a session a week in four games, and lines at the prompt.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where campaigns that were played are kept.")
@click.option("--curves", type=click.Path(path_type=Path), default=CURVES, help="Where the curves are drawn.")
def main(most: int, *, years: bool, folder: Path | None, curves: Path) -> None:
    """Measure how costs grow with a campaign."""
    with tempfile.TemporaryDirectory() as gone:
        kept = folder or Path(gone)
        if years:
            click.echo("| game | sessions | actions | events | store | a line, median | slowest tenth |")
            click.echo("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
            for game in LONGEST:
                click.echo(live_for_years(kept, game))
            return
        costs = grow(kept, most)
        click.echo(table(costs))
        draw(costs, curves)


if __name__ == "__main__":
    main()
