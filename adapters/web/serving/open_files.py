"""How many files may be open at once: each connection is one, and the usual 1,024 are few."""

from __future__ import annotations

import asyncio
import errno
import logging
import sys
from collections.abc import Callable
from time import monotonic
from typing import Any

from rollbook.adapters.web.logs import note

if sys.platform != "win32":
    import resource

MOST = 65_536
NOT_LIMITED = 8_192
"""What is reckoned with where the system has no such limit, or does not say which."""
OUT_OF_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
SAID_EVERY = 60.0
"""Seconds in which it is said once that no connection can be taken."""


def raised() -> int:
    """How many files may be open, after that was raised as far as this program may raise it."""
    if sys.platform == "win32":
        return NOT_LIMITED
    try:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    except OSError:  # as a service one may not be allowed to ask
        return NOT_LIMITED
    wanted = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # some systems have a lower limit than they say
        return soft
    return wanted


Handler = Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]


def says_briefly() -> Handler:
    """Takes what goes wrong in a loop: that no connection could be taken is one line a minute, and no traceback each."""
    said = float("-inf")

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal said
        fault = context.get("exception")
        if not (isinstance(fault, OSError) and fault.errno in OUT_OF_FILES):
            loop.default_exception_handler(context)
        elif monotonic() - said > SAID_EVERY:
            said = monotonic()
            note(logging.WARNING, "full", f"No connection can be taken ({fault.strerror}); those that come wait.")

    return handle
