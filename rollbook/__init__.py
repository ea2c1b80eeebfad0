"""The API for scripts: ``import rollbook; book = rollbook.open()``.

Every public name is in ``__all__`` and in docs/api.md. A name is imported when it is first used, so that ``import rollbook``
costs next to nothing.

The program's other packages lie beside this folder in a checkout, and are found in it by links: ``rollbook.domain``,
``rollbook.projections``, ``rollbook.application``, ``rollbook.adapters``, ``rollbook.rulesets``. An installation has them inside.
"""

from __future__ import annotations

import os
import signal
import sys

STOPPED = 130
"""The exit code of a command that was interrupted."""


def _stop(*_: object) -> None:
    os._exit(STOPPED)


IS_THE_COMMAND = os.path.splitext(os.path.basename(sys.argv[0] if sys.argv else ""))[0] == "rollbook"  # noqa: PTH119, PTH122 - pathlib takes long
if (
    IS_THE_COMMAND
):  # somebody may press Ctrl-C while the rest is imported: nothing is done yet, so there is nothing to say
    signal.signal(signal.SIGINT, _stop)

import gc
from importlib import import_module
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

    from rollbook.adapters.exports.exporter import Exported, ExportRequest, seen_by
    from rollbook.adapters.imports import Imported, ImportedAction
    from rollbook.application.after_commit import RecordedBut, RecordedWarning
    from rollbook.application.book import Book
    from rollbook.application.campaign import Campaign
    from rollbook.application.corrections import Corrections, Preview
    from rollbook.application.lines.verb_line import LineError
    from rollbook.application.playing.recorded_play import Expected, Play
    from rollbook.application.view import CampaignView, Said, Trial
    from rollbook.domain.base.errors import (
        HistoryDamaged,
        NotFound,
        OutcomeUnknown,
        Refused,
        RollbookError,
        RulesetBroken,
        RulesetMissing,
        StaleHistory,
    )
    from rollbook.domain.corrections.changes import Consequence, CorrectionOptions, Effect, Orphans
    from rollbook.domain.dice.errors import DiceError
    from rollbook.domain.dice.supply import DiceNeeded
    from rollbook.domain.entries import Entry, EntryKind, Intent, RecordedEntry, SecondThought
    from rollbook.domain.events import Role
    from rollbook.domain.forecast.chances import Forecast
    from rollbook.domain.forecast.roll_outcomes import TooMany
    from rollbook.domain.rules.action import Action
    from rollbook.domain.rules.sheet import Sheet
    from rollbook.domain.rules.sheet_rulings import Adjustment
    from rollbook.domain.state.campaign_state import CampaignState
    from rollbook.projections.session_log import Log, LogLine

    __version__: str

__all__ = [
    "Action",
    "Adjustment",
    "Book",
    "Campaign",
    "CampaignState",
    "CampaignView",
    "Consequence",
    "CorrectionOptions",
    "Corrections",
    "DiceError",
    "DiceNeeded",
    "Effect",
    "Entry",
    "EntryKind",
    "Expected",
    "ExportRequest",
    "Exported",
    "Forecast",
    "HistoryDamaged",
    "Imported",
    "ImportedAction",
    "Intent",
    "LineError",
    "Log",
    "LogLine",
    "NotFound",
    "Orphans",
    "OutcomeUnknown",
    "Play",
    "Preview",
    "RecordedBut",
    "RecordedEntry",
    "RecordedWarning",
    "Refused",
    "Role",
    "RollbookError",
    "RulesetBroken",
    "RulesetMissing",
    "Said",
    "SecondThought",
    "Sheet",
    "StaleHistory",
    "TooMany",
    "Trial",
    "__version__",
    "main",
    "open",
    "seen_by",
]

_MODULES = {
    "rollbook.application.after_commit": "RecordedBut RecordedWarning",
    "rollbook.application.book": "Book",
    "rollbook.application.campaign": "Campaign",
    "rollbook.application.playing.recorded_play": "Expected Play",
    "rollbook.application.view": "CampaignView Said Trial",
    "rollbook.application.corrections": "Corrections Preview",
    "rollbook.adapters.exports.exporter": "ExportRequest Exported seen_by",
    "rollbook.adapters.imports": "Imported ImportedAction",
    "rollbook.application.lines.verb_line": "LineError",
    "rollbook.domain.rules.action": "Action",
    "rollbook.domain.rules.sheet_rulings": "Adjustment",
    "rollbook.domain.corrections.changes": "Consequence CorrectionOptions Effect Orphans",
    "rollbook.domain.dice.errors": "DiceError",
    "rollbook.domain.dice.supply": "DiceNeeded",
    "rollbook.domain.entries": "Entry EntryKind Intent RecordedEntry SecondThought",
    "rollbook.domain.base.errors": (
        "HistoryDamaged NotFound OutcomeUnknown Refused RollbookError RulesetBroken RulesetMissing StaleHistory"
    ),
    "rollbook.domain.events": "Role",
    "rollbook.domain.forecast.chances": "Forecast",
    "rollbook.domain.forecast.roll_outcomes": "TooMany",
    "rollbook.domain.rules.sheet": "Sheet",
    "rollbook.domain.state.campaign_state": "CampaignState",
    "rollbook.projections.session_log": "Log LogLine",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}
OBJECTS_BETWEEN_COLLECTIONS = 100_000
"""Objects made between garbage collections at start: those stay, and walking them is a seventh of a short command."""

_BESIDE = {name: name for name in ("domain", "projections", "application", "adapters")} | {
    "rulesets": "ruleset_plugins"
}
"""The folder of a checkout in which each package lies, for systems that have no symbolic links."""


class _Beside:
    """Finds the packages beside this folder where a checkout has files in the place of its links, as on Windows."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        folder = Path(__file__).resolve().parents[1] / _BESIDE.get(name.removeprefix("rollbook."), "")
        if name.count(".") != 1 or not (folder / "__init__.py").is_file():
            return None
        return spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=[str(folder)])


if not Path(__file__).with_name("domain").is_dir():
    sys.meta_path.append(cast("Any", _Beside))


def open(path: Path | str = "", *, seeds: Path | str = "") -> Book:  # noqa: A001 - rollbook.open()
    """The book in a store, which is made if there is none: a file, or a server at ``postgresql://…``.

    Without a ``path`` it is the store of the command line: the one that ROLLBOOK_STORE names, else the user's own.
    ``seeds`` is the folder for dice seeds that are not revealed yet. Use the book in a ``with`` statement, or close it.
    """
    from rollbook.adapters.wiring import open_book

    return open_book(path, seeds)


def main() -> int:
    """The command line. Returns its exit code."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    from rollbook.adapters.cli import main as command_line

    try:
        if IS_THE_COMMAND:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = command_line()
    except KeyboardInterrupt:  # before or after what the command itself says of it
        code = STOPPED
    finally:
        if IS_THE_COMMAND:
            signal.signal(signal.SIGINT, _stop)
    gc.freeze()  # the interpreter would look through all that is left for garbage twice more before it ends
    return code


def __getattr__(name: str) -> object:
    """A public name, imported when it is first used."""
    if name == "__version__":
        from importlib.metadata import version

        value: object = version("rollbook")
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'rollbook' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
