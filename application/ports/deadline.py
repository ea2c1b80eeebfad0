"""How long a command may wait for its store: all its waits together, so that five seconds after it was given there is a sentence.

Each wait has an end of its own, and a command has many: for a connection, for an answer, for its turn behind other commands. They
come off one account, which a command opens. What the program itself works out does not count, and neither does reading a long
history: that takes long because there is much of it. Outside a command each wait has the whole patience.
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
"""With fewer seconds left nothing more is asked: what is not begun is certainly not recorded."""
AFTER_A_QUEUE = 1.0
"""Seconds that are left to a command which others kept waiting, whatever they waited for: a server that works answers in them."""

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
    """All that is waited for inside is waited for by one command. Part of another command is part of it here, too."""
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
    """What follows is no part of the command any more: it was answered, or it goes on as slow work that somebody looks in on."""
    if account := _opened():
        account.is_open = False


def is_over() -> bool:
    """Whether nothing more is to be asked for the command that is under way."""
    account = _opened()
    return account is not None and account.left < LEAST


def left(patience: float = PATIENCE) -> float:
    """Seconds for which a wait may go on that begins now: what is left to the command, and ``patience`` at most."""
    account = _opened()
    return patience if account is None else min(patience, account.left)


class waiting:  # noqa: N801 - it reads as what is done
    """What is done inside is waiting, and comes off the account, but for the seconds that are said to be ``work``.

    That is what it takes because there is much to send or to read. (No generator: every question asked of a server waits.)
    """

    __slots__ = ("_began", "work")

    def __init__(self, work: float = 0.0) -> None:
        self.work = work

    def __enter__(self) -> Self:
        self._began = monotonic()
        return self

    def was_work(self) -> None:
        """All of it so far was work."""
        self.work = monotonic() - self._began

    def __exit__(self, *_: object) -> None:
        if account := _opened():
            account.left -= max(0.0, monotonic() - self._began - self.work)


def carried(work: Callable[[], _Made], *, as_command: bool = False) -> Callable[[], _Made]:
    """The same work for another thread: it goes on with what is left to the command, less what it waits for its turn.

    ``as_command``: work that is part of no command is one by itself, so that commands do not wait for it any longer.
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
