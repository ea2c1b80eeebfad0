"""Choice of test files to run for a change: the nearest that fit into a time, by their costs in tests/costs.txt."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path

import attrs

from tests.support.costs_table import UNKNOWN, FileCost
from tests.support.reach import ROOT

STARTING = 8.0
"""Seconds in which pytest starts in several processes, and the files are chosen."""
MAIN = "main"
MANY = 20
"""More test files than this are listed by folder."""


def changed_files(base: str = "", root: Path = ROOT) -> list[str]:
    """The files that differ from where this branch left ``base`` (without one: main, or the last commit), committed or not.

    Raises ValueError for a base that is none.
    """
    known = _git(root, "rev-parse", "--verify", "--quiet", f"{base or MAIN}^{{commit}}")
    if base and not known:
        raise ValueError(f"There is no commit {base!r}.")
    (left,) = _git(root, "merge-base", "HEAD", known[0]) if known else ["HEAD"]
    differing = _git(root, "diff", "--name-only", "--no-renames", left)
    return sorted({*differing, *_git(root, "ls-files", "--others", "--exclude-standard")})


def _git(root: Path, *words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


@attrs.frozen
class Choice:
    """Test files to run, nearest first, and those left out for want of time. ``seconds`` is the estimated time."""

    run: tuple[str, ...]
    left: tuple[str, ...]
    seconds: float

    def said(self) -> Iterator[str]:
        """The choice in sentences."""
        yield f"{len(self.run)} test files are run, about {self.seconds:.0f} s:"
        yield from _listed(self.run)
        if self.left:
            yield f"{len(self.left)} are reached, too, but are further away or take too long (--all runs them):"
            yield from _listed(self.left)


def _listed(paths: Sequence[str]) -> Iterator[str]:
    """Test files by name, or where they are many, by folder."""
    if len(paths) <= MANY:
        yield from (f"  {path}" for path in paths)
        return
    folders = Counter(str(Path(*Path(path).parts[:3]) if path.count("/") > 2 else Path(path).parent) for path in paths)
    yield from (f"  {folder}: {many}" for folder, many in folders.items())


def chosen(
    reached: Mapping[str, int],
    costs: Mapping[str, FileCost],
    *,
    changed: Iterable[str] = (),
    seconds: float = 60.0,
    processors: int | None = None,
) -> Choice:
    """The files that are run in so many seconds: changed tests in any case, then the nearest, of these the nearest by folder.

    One that does not fit is left out, and the next is looked at.
    """
    many = processors or os.cpu_count() or 1
    changed = tuple(changed)
    run, left, spent = [], [], STARTING
    for path in sorted(reached, key=lambda path: (reached[path], -_kinship(path, changed), _cost(costs, path))):
        cost = _cost(costs, path) / many
        if path in changed or spent + cost <= seconds:
            run.append(path)
            spent += cost
        else:
            left.append(path)
    return Choice(tuple(run), tuple(left), spent)


def _cost(costs: Mapping[str, FileCost], path: str) -> float:
    return costs[path].seconds if path in costs else UNKNOWN


def _kinship(path: str, changed: Iterable[str]) -> int:
    """Number of folders shared by a test file and a changed one: tests lie in the folders of what they test."""
    ours = Path(path).parts[1:-1]
    return max((_in_common(ours, Path(each).parts[:-1]) for each in changed), default=0)


def _in_common(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
