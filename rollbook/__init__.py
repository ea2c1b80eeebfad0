"""What a script needs: ``import rollbook; book = rollbook.open()``.

Every public name is in ``__all__`` and in docs/api.md. A name is imported when it is first used, so that ``import rollbook``
costs next to nothing.

The program's other packages are plain top-level ones. If another distribution brings a package of the same name, importing
this one says so, and what to do.
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
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapters.aftermath import RecordedBut, RecordedWarning
    from adapters.book import Book
    from adapters.campaign import Campaign, Trial
    from adapters.corrections import Corrections, Preview
    from adapters.exports import Exported, ExportRequest
    from adapters.imports import Imported, ImportedAction
    from adapters.said import Said
    from adapters.verb_line import LineError
    from domain.action import Action
    from domain.adjustments import Adjustment
    from domain.corrections.changes import Consequence, CorrectionOptions, Effect, Orphans
    from domain.dice.errors import DiceError
    from domain.dice.supply import DiceNeeded
    from domain.entries import Entry, EntryKind, Intent, RecordedEntry, SecondThought
    from domain.errors import (
        HistoryDamaged,
        NotFound,
        OutcomeUnknown,
        Refused,
        RollbookError,
        RulesetBroken,
        RulesetMissing,
        StaleHistory,
    )
    from domain.events import Role
    from domain.forecast.chances import Forecast
    from domain.forecast.roll_outcomes import TooMany
    from domain.sheet import Sheet
    from domain.state import CampaignState

    __version__: str

__all__ = [
    "Action",
    "Adjustment",
    "Book",
    "Campaign",
    "CampaignState",
    "Consequence",
    "CorrectionOptions",
    "Corrections",
    "DiceError",
    "DiceNeeded",
    "Effect",
    "Entry",
    "EntryKind",
    "ExportRequest",
    "Exported",
    "Forecast",
    "HistoryDamaged",
    "Imported",
    "ImportedAction",
    "Intent",
    "LineError",
    "NotFound",
    "Orphans",
    "OutcomeUnknown",
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
]

_MODULES = {
    "adapters.aftermath": ("RecordedBut", "RecordedWarning"),
    "adapters.book": ("Book",),
    "adapters.campaign": ("Campaign", "Trial"),
    "adapters.corrections": ("Corrections", "Preview"),
    "adapters.exports": ("ExportRequest", "Exported"),
    "adapters.imports": ("Imported", "ImportedAction"),
    "adapters.said": ("Said",),
    "adapters.verb_line": ("LineError",),
    "domain.action": ("Action",),
    "domain.adjustments": ("Adjustment",),
    "domain.corrections.changes": ("Consequence", "CorrectionOptions", "Effect", "Orphans"),
    "domain.dice.errors": ("DiceError",),
    "domain.dice.supply": ("DiceNeeded",),
    "domain.entries": ("Entry", "EntryKind", "Intent", "RecordedEntry", "SecondThought"),
    "domain.errors": (
        "HistoryDamaged",
        "NotFound",
        "OutcomeUnknown",
        "Refused",
        "RollbookError",
        "RulesetBroken",
        "RulesetMissing",
        "StaleHistory",
    ),
    "domain.events": ("Role",),
    "domain.forecast.chances": ("Forecast",),
    "domain.forecast.roll_outcomes": ("TooMany",),
    "domain.sheet": ("Sheet",),
    "domain.state": ("CampaignState",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}
OBJECTS_BETWEEN_COLLECTIONS = 100_000
"""Starting makes many objects that stay; looking for garbage among them again and again is a seventh of a short command."""

_PACKAGES = ("domain", "projections", "adapters", "ruleset_plugins")


def _check_packages() -> None:
    """Raise ImportError if a package of another distribution takes the place of one of ours."""
    here = Path(__file__).resolve().parents[1]
    for name in _PACKAGES:
        spec = find_spec(name)
        if spec is None:
            raise ImportError(
                f"The installation of rollbook is incomplete: {here} lacks its package {name!r}. Install it again."
            )
        where = [Path(found).resolve() for found in spec.submodule_search_locations or [spec.origin or ""]]
        if here / name != where[0]:
            raise ImportError(
                f"rollbook's package {name!r} is hidden by {where[0]}{_owner(name)}. Install rollbook in an "
                f"environment of its own: pipx install rollbook, or: uv tool install rollbook"
            )


def _owner(name: str) -> str:
    """The distribution that brings a package of that name, as far as it is known."""
    from importlib.metadata import packages_distributions

    others = sorted({owner for owner in packages_distributions().get(name, ()) if owner != "rollbook"})
    return f" (from {', '.join(others)})" if others else ""


try:
    _check_packages()
except ImportError as hidden:
    if IS_THE_COMMAND:  # somebody typed it: they get the sentence alone
        sys.exit(str(hidden))
    raise


def open(path: Path | str = "", *, seeds: Path | str = "") -> Book:  # noqa: A001 - rollbook.open()
    """The book in a store, which is made if there is none: a file, or a server at ``postgresql://…``.

    Without a ``path`` it is the store of the command line: the one that ROLLBOOK_STORE names, else the user's own.
    ``seeds`` is the folder for dice seeds that are not revealed yet. Use the book in a ``with`` statement, or close it.
    """
    from adapters.wiring import open_book

    return open_book(path, seeds)


def main() -> int:
    """The command line. Returns its exit code."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    from adapters.cli import main as command_line

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
