"""Deadline for all waits of a command for its store, so that it is answered within five seconds.

Each wait has an end of its own, and a command has many: for a connection, for an answer, for its turn behind other
commands. They come off one account, which the command opens. Computing does not count, and neither does reading a long
history, which takes long because there is much of it. Outside a command each wait has the whole ``PATIENCE``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Self, TypeVar

PATIENCE = 5.0
"""Seconds after which a server counts as one that does not answer."""
OF_A_COMMAND = 4.5
"""Seconds for all waits of a command; the rest of the patience is for what the program does between them."""
LEAST = 0.3
"""Least seconds left for another request: one that is not begun is certainly not recorded."""
AFTER_A_QUEUE = 1.0
"""Seconds left at least to a command after its wait behind others: a working server answers within them."""

_Made = TypeVar("_Made")


class _Account:
    """The waits of one command: how many seconds are ``left`` for them, until the command is over."""

    def __init__(self) -> None:
        self.left = OF_A_COMMAND
        self.is_open = True


_account: ContextVar[_Account | None] = ContextVar("the waits of a command", default=None)


def _opened() -> _Account | None:
    account = _account.get()
    return account if account is not None and account.is_open else None


@contextmanager
def command_deadline() -> Iterator[None]:
    """Context whose waits are those of one command; inside another command, they are that command's."""
    if _opened() is not None:
        yield
        return
    account = _Account()
    before = _account.set(account)
    try:
        yield
    finally:
        account.is_open = False
        _account.reset(before)


def end_command() -> None:
    """End the command: what follows is no part of it, since it was answered or goes on as slow work that is polled."""
    if account := _opened():
        account.is_open = False


def is_over() -> bool:
    """True if too little is left of the command under way for another request."""
    account = _opened()
    return account is not None and account.left < LEAST


def left(patience: float = PATIENCE) -> float:
    """Seconds that a wait beginning now may take: those left to the command, and ``patience`` at most."""
    account = _opened()
    return patience if account is None else min(patience, account.left)


class waiting:  # noqa: N801 - it reads as what is done
    """Context whose time is waiting and comes off the account, except for the seconds that are given as ``work``.

    Work takes its time because there is much to send or to read. (No generator: every request to a server waits.)
    """

    __slots__ = ("_began", "work")

    def __init__(self, work: float = 0.0) -> None:
        self.work = work

    def __enter__(self) -> Self:
        self._began = monotonic()
        return self

    def was_work(self) -> None:
        """Count all time so far as work."""
        self.work = monotonic() - self._began

    def __exit__(self, *_: object) -> None:
        if account := _opened():
            account.left -= max(0.0, monotonic() - self._began - self.work)


def carried(work: Callable[[], _Made], *, as_command: bool = False) -> Callable[[], _Made]:
    """Wrap work for another thread: it goes on with the seconds left to the command, less its wait for its turn.

    ``as_command``: work outside a command becomes one of its own, so that commands wait for it no longer than that.
    """
    account, asked = _opened() or (_Account() if as_command else None), monotonic()
    if account is None:
        return work

    def go_on() -> _Made:
        account.left = max(account.left - (monotonic() - asked), min(account.left, AFTER_A_QUEUE))
        before = _account.set(account)
        try:
            return work()
        finally:
            _account.reset(before)

    return go_on
