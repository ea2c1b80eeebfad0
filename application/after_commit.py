"""Faults that follow a commit: what is recorded counts, so they are warnings and no refusals.

A command is recorded in one moment. Read models, marks, pages and answers follow it and may fail, and that undoes
nothing: a caller who is told that it did not work would ask again, and have it twice. Where entries are stored,
``committed`` is called; what follows runs in ``after_commit``; and where a command ends, ``one_act`` tells a refusal
from a fault after the commit.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from rollbook.domain.base.errors import RollbookError

if TYPE_CHECKING:
    from rollbook.domain.entries import RecordedEntry

FAULTS = (
    *(RollbookError, OSError, ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError),
    *(TypeError, ValueError),
)
OF_MODULES = (("sqlite3", "Error"), ("msgspec", "MsgspecError"))


def _faults() -> tuple[type[BaseException], ...]:
    """All that a store, a disk, a ruleset or the program may raise; a module that is not imported raises nothing."""
    return (*FAULTS, *(getattr(sys.modules[module], name) for module, name in OF_MODULES if module in sys.modules))


class RecordedBut(RollbookError):
    """A fault after a commit: what was asked for is recorded, and must not be asked for again."""


class RecordedWarning(UserWarning):
    """The same as a warning to a program that calls the engine: the command returned its entries."""


class Act:
    """One command while it is carried out: whether it ``is_committed``, and the ``faults`` since, each a sentence.

    ``has_recorded`` says whether anything was stored in it at all, and ``entries`` are those of a campaign, in their order.
    """

    __slots__ = ("entries", "faults", "has_recorded", "is_committed", "outer")

    def __init__(self, outer: Act | None = None) -> None:
        self.outer = outer
        self.is_committed = self.has_recorded = False
        self.entries: list[RecordedEntry] = []
        self.faults: list[str] = []

    def take_faults(self) -> list[str]:
        """Return the faults since the last call, to be reported now, and forget them."""
        found, self.faults = self.faults, []
        return found


_act: ContextVar[Act | None] = ContextVar("the command that is carried out", default=None)


@contextmanager
def one_act(act: Act | None = None) -> Iterator[Act]:
    """Context of one command, or of a part of another. Raises RecordedBut for a fault after its commit."""
    outer = _act.get()
    act = act or Act(outer)
    begun()
    before = _act.set(act)
    try:
        yield act
    except RecordedBut:
        raise
    except _faults() as fault:
        if not act.is_committed:
            raise
        raise RecordedBut(sentence_of(fault)) from fault
    finally:
        _act.reset(before)
        if outer is not None:
            outer.is_committed = act.is_committed
            outer.faults += act.faults


def begun() -> None:
    """Note that another decision begins: it may still be refused, whatever was recorded before."""
    if (act := _act.get()) is not None:
        act.is_committed = False


def committed(entries: Iterable[RecordedEntry] = ()) -> None:
    """Note that what was decided is stored; of a campaign that is open, these are its ``entries``."""
    act, stored = _act.get(), tuple(entries)
    if act is not None:
        act.is_committed = True
    while act is not None:
        act.has_recorded = True
        act.entries += stored
        act = act.outer


def go_on_after(*, is_committed: bool, faults: Iterable[str]) -> None:
    """Take over the state of a part of the command that another thread has carried out."""
    if (act := _act.get()) is not None:
        act.is_committed = act.is_committed or is_committed
        act.faults += faults


def is_committed() -> bool:
    """True if the command that is carried out is recorded already."""
    act = _act.get()
    return act is not None and act.is_committed


def faults_so_far() -> tuple[str, ...]:
    """The faults since the command that is carried out was recorded."""
    act = _act.get()
    return tuple(act.faults) if act is not None else ()


@contextmanager
def after_commit() -> Iterator[None]:
    """Run what follows a commit. A fault in it is a warning; it is raised only if nothing was recorded."""
    act = _act.get()
    try:
        yield
    except _faults() as fault:
        if act is not None and not act.is_committed:
            raise
        warn(fault)


def warn(fault: BaseException | str) -> None:
    """Add a fault after a commit, or a remark on what was recorded, to the answer.

    Outside a command it is a Python warning.
    """
    said = fault if isinstance(fault, str) else sentence_of(fault)
    if (act := _act.get()) is not None:
        act.faults.append(said)
    else:
        warnings.warn(said, RecordedWarning, stacklevel=2)


def sentence_of(fault: BaseException) -> str:
    """A fault after a commit in a sentence; only its kind if it was not expected."""
    if isinstance(fault, RecordedBut):
        return str(fault)
    what = str(fault) if isinstance(fault, RollbookError) else f"what followed did not work ({type(fault).__name__})."
    return f"Recorded. But: {what}"
