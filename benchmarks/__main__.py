"""Run every measurement once and print a table: ``python -m benchmarks [--quick] [--json] [NAME …]``."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import click

from benchmarks.checking import CHECKING
from benchmarks.correcting import correcting
from benchmarks.fights import fights
from benchmarks.games import playing
from benchmarks.hosting import hosting
from benchmarks.looking_back import looking_back
from benchmarks.many_campaigns import asking_first, finding
from benchmarks.measures import ENGINE, FULL, QUICK, Row
from benchmarks.remembering import remembering
from benchmarks.resolving import resolving
from benchmarks.restarting import restarting
from benchmarks.starting import starting, typing
from benchmarks.taking_in import taking_in
from benchmarks.watching_again import exporting, watching_again
from benchmarks.web import web
from benchmarks.web_acts import web_acts

ALL = (
    *ENGINE,
    starting,
    typing,
    finding,
    asking_first,
    *CHECKING,
    playing,
    resolving,
    correcting,
    looking_back,
    watching_again,
    exporting,
    fights,
    remembering,
    taking_in,
    restarting,
    web,
    web_acts,
    hosting,
)
"""Every measurement, in the order of the table."""


def table(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | rollbook | against | ratio | wanted |", "| --- | ---: | ---: | ---: | ---: |"]
    for row in rows:
        bound = f"{'≥' if row.at_least else '≤'} {row.bound:g}"
        holds = "" if row.holds else " ✗"
        lines.append(f"| {row.name} | {row.ours} | {row.other} | {row.ratio:.3g}{holds} | {bound} |")
    return "\n".join(lines)


@click.command()
@click.option("--quick", is_flag=True, help="Measure on less: some two minutes on two cores.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.argument("names", nargs=-1, type=click.Choice([measure.__name__ for measure in ALL]))
def main(names: tuple[str, ...], *, quick: bool, as_json: bool) -> None:
    """Measure the costs of rollbook, in ratios measured within one run."""
    rows: list[Row] = []
    for measure in ALL:
        if names and measure.__name__ not in names:
            continue
        click.echo(f"measuring: {measure.__name__} …", err=True)
        with tempfile.TemporaryDirectory() as folder:
            rows.extend(measure(Path(folder), QUICK if quick else FULL))
    if as_json:
        fields = ("name", "ours", "other", "ratio", "bound", "at_least", "holds")
        click.echo(json.dumps([{field: getattr(row, field) for field in fields} for row in rows], indent=1))
    else:
        click.echo(table(rows))
    sys.exit(0 if all(row.holds for row in rows) else 1)


if __name__ == "__main__":
    main()
