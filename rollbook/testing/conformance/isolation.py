"""Watch on rules for use of anything but their table: files, sockets, clocks, chance, here and in a fresh process."""

import ast
import builtins
import importlib
import os
import random
import secrets
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import attrs
import msgspec

from rollbook.application.encoding.codec import CODEC
from rollbook.plugin import Record, Ruleset
from rollbook.testing.conformance.playthrough import Move
from rollbook.testing.conformance.random_play import fixed_playthrough

REACHES_OUT = (
    *("open", "os.", "socket.", "sqlite3.", "subprocess.", "shutil.", "tempfile.", "glob.", "pathlib.", "urllib."),
    *("http.", "ftplib.", "smtplib.", "webbrowser.", "builtins.input", "ctypes.", "mmap."),
)
"""Beginnings of the interpreter's audit events for files, processes and networks."""

CLOCKS_AND_CHANCE: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (time, ("time", "time_ns", "monotonic", "monotonic_ns", "localtime", "gmtime", "ctime", "strftime", "sleep")),
    (random, ("random", "randint", "randrange", "choice", "choices", "shuffle", "sample", "uniform", "getrandbits")),
    (secrets, ("choice", "randbelow", "randbits", "token_bytes", "token_hex", "token_urlsafe")),
    (uuid, ("uuid1", "uuid4")),
    (os, ("urandom", "getenv", "getpid")),
    (builtins, ("print", "input")),
)
"""Functions that raise no audit event."""

FORBIDDEN = frozenset(
    (
        *("asyncio", "ftplib", "http", "httpx", "multiprocessing", "requests", "secrets", "selectors", "smtplib"),
        *("socket", "socketserver", "sqlite3", "ssl", "subprocess", "threading", "time", "random", "uuid"),
        *("eventsourcing", "sqlite_utils"),
    )
)
"""Modules that no ruleset needs."""
FOR_AUTHORS = ("plugin", "kit", "testing", "rulesets")
"""Parts of rollbook that a ruleset may import."""

_NOW = ("datetime.now", "datetime.utcnow", "datetime.today", "date.today")
_watching: list[list[str]] = []
_hooked: list[bool] = []


@contextmanager
def watched() -> Iterator[list[str]]:
    """Context that notes all uses of the outside in a list, and prevents none."""
    if not _hooked:
        sys.addaudithook(_overhear)
        _hooked.append(True)
    asked: list[str] = []
    put_back = [(place, name, getattr(place, name)) for place, names in CLOCKS_AND_CHANCE for name in names]
    for place, name, real in put_back:
        setattr(place, name, _noting(real, f"{place.__name__}.{name}", asked))
    _watching.append(asked)
    try:
        yield asked
    finally:
        _watching.remove(asked)
        for place, name, real in put_back:
            setattr(place, name, real)


def _noting(real: Callable[..., object], called: str, asked: list[str]) -> Callable[..., object]:
    def ask(*args: object, **more: object) -> object:
        if sys._getframe(1).f_globals.get("__name__", "").partition(".")[0] not in ("hypothesis", "_pytest"):  # noqa: SLF001
            asked.append(f"{called}()")
        return real(*args, **more)

    return ask


def _overhear(event: str, args: tuple[object, ...]) -> None:
    if _watching and event.startswith(REACHES_OUT) and not _is_importing(sys._getframe(1)):  # noqa: SLF001
        for asked in _watching:
            asked.append(f"{event} {args[0] if args else ''}".strip())


def _is_importing(frame: FrameType | None) -> bool:
    """True if this is the interpreter reading a module: the place of an import is a matter of taste."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def reached(source: str) -> list[str]:
    """The imports and calls in a module's source that a ruleset has no use for."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [f"line {node.lineno}: import {name.name}" for name in node.names if _is_forbidden(name.name)]
        elif isinstance(node, ast.ImportFrom) and not node.level and _is_forbidden(node.module or ""):
            found.append(f"line {node.lineno}: from {node.module} import …")
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(_NOW):
            found.append(f"line {node.lineno}: {ast.unparse(node.func)}()")
    return found


def _is_forbidden(module: str) -> bool:
    top, *inside = module.split(".")
    return top in FORBIDDEN or (top == "rollbook" and inside[:1] not in [[name] for name in FOR_AUTHORS])


def sources(module: str) -> list[Path]:
    """The files of a package with all that is below it, or the one file of a module."""
    file = Path(importlib.import_module(module).__file__ or "")
    return sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else [file]


@attrs.frozen
class Order(Record):
    """An order to play the ruleset at ``place`` (module:NAME), so ``many`` times, with so many ``actions`` each."""

    place: str
    opening: tuple[Move, ...]
    many: int
    actions: int


@attrs.frozen
class ProcessReport(Record):
    """The playthroughs, each a line for every action, and all that rules ``asked`` for besides the table."""

    playthroughs: list[list[str]]
    asked: list[str]


def playthroughs(ruleset: Ruleset, opening: Sequence[Move], *, many: int, actions: int) -> Iterator[list[str]]:
    """So many playthroughs, each with a line for every action and its outcome."""
    for number in range(many):
        lines = []
        for playthrough, outcome in fixed_playthrough(ruleset, opening, number, actions):
            came_of_it = outcome.refusal or " ".join(CODEC.encode(event).decode() for event in outcome.events)
            lines.append(f"{playthrough.last}\n      {came_of_it}")
        yield lines


def main() -> None:
    """Play the order on standard input."""
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    module, _, name = order.place.partition(":")
    ruleset = getattr(importlib.import_module(module), name)
    with watched() as reached:
        played = list(playthroughs(ruleset, order.opening, many=order.many, actions=order.actions))
    sys.stdout.buffer.write(msgspec.json.encode(ProcessReport(played, sorted(set(reached)))))


if __name__ == "__main__":
    main()
