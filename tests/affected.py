"""Run the tests that a change reaches: ``python -m tests.affected [BASE]``.

A change is what differs from where the branch left BASE, committed or not; without BASE, from main. The nearest tests are run
that fit into 60 seconds; ``--all`` runs all that are reached, and ``--list`` none. What follows ``--`` is for pytest.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from tests.support.affected import Choice, changed_files, chosen
from tests.support.costs_table import table
from tests.support.reach import ROOT, Reach

ALONE = 12.0
"""Below so many seconds one process is faster than several."""


def main() -> int:
    """Choose, say what is run, and run it. Returns pytest's exit code, 0 if nothing is reached."""
    asked, options = _asked()
    try:
        changed = changed_files(asked.base)
    except ValueError as fault:
        sys.exit(str(fault))
    seconds = float("inf") if asked.all else asked.seconds
    choice = chosen(Reach().reached(changed), table(), changed=changed, seconds=seconds)
    sys.stdout.write(f"{len(changed)} changed files.\n{chr(10).join(choice.said())}\n")
    sys.stdout.flush()
    return 0 if asked.list or not choice.run else _run(choice, options)


def _asked() -> tuple[argparse.Namespace, list[str]]:
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(prog="python -m tests.affected", description=(__doc__ or "").partition("\n\n")[2])
    parser.add_argument("base", nargs="?", default="", help="a branch or a commit; without it, main")
    parser.add_argument("--all", action="store_true", help="all tests that are reached, however long they take")
    parser.add_argument("--list", action="store_true", help="say which they are, and run none")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long they may take, estimated")
    return parser.parse_args(words[:cut]), words[cut + 1 :]


def _run(choice: Choice, options: list[str]) -> int:
    how = ["-n", "0"] if choice.seconds < ALONE else []
    return subprocess.run(
        [sys.executable, "-m", "pytest", *how, *options, *choice.run], cwd=ROOT, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
