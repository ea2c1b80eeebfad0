"""How far the dice of a session were ever handed out on this computer, whatever became of the store since.

A store may be set back to an older copy; dice that were seen may not. So the highest index of every run of rolls is noted beside
the seeds, on the disk before anybody sees the dice. A mark only ever rises: lines are added, and the highest counts.
"""

from __future__ import annotations

import os
from pathlib import Path

from rollbook.adapters.local_files.own_files import added_to
from rollbook.application.ports.dice_marks import DiceMarks, marks_in


def read_marks(path: Path) -> DiceMarks:
    """The marks in a file; none if there is no file. A line that was cut off counts for nothing."""
    try:
        return marks_in(path.read_text(encoding="ascii").split("\n")[:-1])
    except (OSError, ValueError):
        return DiceMarks()


def raise_marks(path: Path, to: DiceMarks, *, lasting: bool) -> None:
    """Raise the marks in a file, where they are lower; ``lasting``: they are on the disk when this returns. Raises OSError."""
    now = read_marks(path)
    higher = {run: count for run, count in to.used.items() if count > now.used.get(run, 0)}
    lines = DiceMarks(higher, to.closed and not now.closed).lines()
    if not lines:
        return
    with added_to(path) as file:
        file.write("".join(f"{line}\n" for line in lines).encode())
        if lasting:
            file.flush()
            os.fsync(file.fileno())
