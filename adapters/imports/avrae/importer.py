"""Importer of a combat that was played on Discord with the Avrae bot, as the actions of a campaign.

The bot records its rules' steps (``automation_run``), then the whole combat afterwards (``combat_state_update``), then
the typed line (``command``). Each update therefore becomes one action: actor, verb, dice, outcome and effects, by the
causes on record alone. Where those do not explain the hit points in the update, a correction, an action of its own,
gives the expected and the recorded number: no explanation is invented.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rollbook.adapters.imports import Imported, Known, nothing_known
from rollbook.adapters.imports.avrae.lines import read_recording, recognises, storable
from rollbook.adapters.imports.avrae.played_session import PlayedSession
from rollbook.adapters.imports.avrae.recorded_session import RecordedSession

__all__ = ["read_avrae", "read_session", "recognises"]


def read_avrae(
    path: Path, name: str = "", known: Callable[[str], Known] = nothing_known, *, play: bool = False
) -> Imported:
    """Import the recording at ``path`` as a campaign called ``name``, by default the name of the file.

    A campaign that was made from other recordings gets another session. With ``play`` the actions say by which verbs of a
    game they are played. Raises NotFound, or RollbookError that names the line if the file is not a whole recording.
    """
    session = read_session(path, name, known, play=play)
    actions = tuple(action for _, new in session.by_line() for action in new)
    found = ("Nothing is new: this recording was here.",) if session.is_here else ()
    return Imported(
        session.name, actions, session.explained, session.corrected, tuple(session.warnings),
        after=session.known.entries, found=found, ruleset=session.ruleset, settings=session.settings,
    )  # fmt: skip


def read_session(
    path: Path, name: str = "", known: Callable[[str], Known] = nothing_known, *, play: bool = False
) -> RecordedSession:
    """The same recording, to be imported line by line."""
    called = storable(name.strip() or path.name.removesuffix(".gz").removesuffix(".jsonl"))
    kind = PlayedSession if play else RecordedSession
    return kind(path, read_recording(path), called, known(called))
