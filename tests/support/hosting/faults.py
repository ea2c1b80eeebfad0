"""Faults: each is done once more while a crowd plays, with the run that it is done to."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import attrs

from tests.support.faulty_proxy import FaultyProxy
from tests.support.hosting.checks import Findings
from tests.support.hosting.clusters import Pair, full, on_a_small_disk
from tests.support.hosting.crowd import Client, Crowd
from tests.support.hosting.ledger import Ledger
from tests.support.hosting.runs import Playing, Run, Size, playing
from tests.support.hosting.served import served
from tests.support.jumping_clock import JumpingClock
from tests.support.postgres import PROGRAM, PostgresServer
from tests.support.processes import ROOT

HEADINGS = (
    "| fault | times | acknowledged | lost | doubled | torn | otherwise wrong | retries | worst wait | slowest answer |\n"
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)
TREE = ("adapters", "application", "domain", "projections", "ruleset_plugins", "rollbook", "tests/support")
"""Folders of the project that a node needs."""


@attrs.frozen
class Outcome:
    """Outcome of a fault that was done so often."""

    fault: str
    times: int
    ledger: Ledger
    findings: Findings

    def row(self) -> str:
        """A line of the table."""
        ledger, found = self.ledger, self.findings
        numbers = (
            self.times,
            len(ledger.acknowledged),
            len(found.lost),
            len(found.doubled),
            len(found.torn),
            len(found.unproven) + len(found.read_models) + len(found.readers),
            ledger.retries,
            f"{ledger.worst_wait:.1f} s",
            f"{ledger.slowest_answer:.1f} s",
        )
        return f"| {self.fault} | {' | '.join(map(str, numbers))} |"


Begun = Callable[[Playing, PostgresServer, Path, Size], AbstractContextManager[Run]]
"""Function that begins a run in which people play as they do with or without pages."""


def simply(play: Playing, server: PostgresServer, folder: Path, size: Size) -> AbstractContextManager[Run]:
    """Nothing is needed but the server."""
    return play(server, folder, size)


@attrs.frozen
class Fault:
    """A fault by name: what is done ``once``, and how a run for it is ``begun``. One that ``is_rare`` is done less often."""

    name: str
    once: Callable[[Run, int], None]
    begun: Begun = simply
    is_rare: bool = False


def outcome(
    fault: Fault, server: PostgresServer, folder: Path, times: int, size: Size, *, in_browsers: bool = False
) -> Outcome:
    """Do a fault so many times to a run of its own, and look at what came of it."""
    with fault.begun(served if in_browsers else playing, server, folder, size) as run:
        for nth in range(times):
            fault.once(run, nth)
            time.sleep(run.chance.uniform(0, 0.2))
        run.crowd.stop()
        return Outcome(fault.name, times, run.crowd.ledger(), run.check())


# Processes.


def kill_a_node(run: Run, nth: int) -> None:
    """kill -9 of all processes of a node, and a new start of each."""
    clients = run.crowd.of_node(nth)
    for client in clients:
        client.kill()
    for client in clients:
        client.start()
    run.crowd.wait_for_news(of=clients)


def kill_a_backend(run: Run, nth: int) -> None:
    """One of the server's processes ends: every other time by kill -9, after which the server ends all and recovers."""
    found = run.server.administer(
        f"SELECT pid FROM pg_stat_activity WHERE datname = '{run.database}' AND usename = '{PROGRAM}'"
    )
    if found:
        pid = int(str(run.chance.choice(found)[0]))
        if nth % 2:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        else:
            run.server.administer(f"SELECT pg_terminate_backend({pid})")
    run.crowd.wait_for_news()


def restart_the_server(run: Run, nth: int) -> None:
    """PostgreSQL is stopped as if the power failed, and started again."""
    run.server.restart(immediate=True)
    run.crowd.wait_for_news()


# A standby.


@contextmanager
def with_a_standby(play: Playing, server: PostgresServer, folder: Path, size: Size) -> Iterator[Run]:
    """Nodes that know both servers of a pair, of which one has at once what the other stores."""
    folder.mkdir(exist_ok=True)
    with Pair.made() as pair, play(pair.primary, folder / "run", size, address=pair.address) as run:
        run.beside = pair
        yield run


def promote_the_standby(run: Run, nth: int) -> None:
    """The primary dies, the standby takes over, and the one that died becomes its standby."""
    assert isinstance(run.beside, Pair)
    run.server = run.beside.fail_over()
    run.crowd.wait_for_news()


# Connections.


@contextmanager
def through_a_proxy(play: Playing, server: PostgresServer, folder: Path, size: Size) -> Iterator[Run]:
    """Nodes that reach the server through a proxy."""
    with (
        FaultyProxy(server.port) as proxy,
        play(server, folder, size, address=lambda database: server.dsn(PROGRAM, database, port=proxy.port)) as run,
    ):
        run.beside = proxy
        yield run


def disturb_connections(run: Run, nth: int) -> None:
    """Delays, cuts, answers that are swallowed, connections that stay half open, and silence, in turn."""
    assert isinstance(run.beside, FaultyProxy)
    proxy = run.beside
    match nth % 5:
        case 0:
            proxy.seconds = run.chance.uniform(0.02, 0.3)
            time.sleep(0.5)
        case 1:
            proxy.cut()
        case 2:
            proxy.swallows = True
            time.sleep(0.1)
        case 3:
            proxy.half_open()
        case _:
            proxy.is_silent = True
            time.sleep(run.chance.uniform(0.1, 2))
    proxy.heal()
    run.crowd.wait_for_news()


# The disk.


@contextmanager
def on_a_disk_of_its_own(play: Playing, server: PostgresServer, folder: Path, size: Size) -> Iterator[Run]:
    """A server whose disk is small."""
    folder.mkdir(exist_ok=True)
    with on_a_small_disk() as small, play(small, folder / "run", size) as run:
        yield run


def fill_the_disk(run: Run, nth: int) -> None:
    """The disk of the server is full for a while: of its tables, and every other time of its log, too, so that it stops."""
    with full(run.server, log=bool(nth % 2)):
        time.sleep(run.chance.uniform(0.3, 1.5))
    run.crowd.wait_for_news()


# Clocks.


@contextmanager
def with_a_jumping_clock(play: Playing, server: PostgresServer, folder: Path, size: Size) -> Iterator[Run]:
    """One node has a clock that can be set."""
    folder.mkdir(exist_ok=True)
    clock = JumpingClock.made(folder)

    def adapt(run: Run) -> None:
        for process in run.crowd.of_node(0):
            process.variables = {**process.variables, **clock.variables}

    with play(server, folder, size, adapt=adapt) as run:
        run.beside = clock
        yield run


def set_the_clock(run: Run, nth: int) -> None:
    """The clock of a node jumps by up to ten years, forwards and backwards in turn."""
    assert isinstance(run.beside, JumpingClock)
    run.beside.set(int(10 ** run.chance.uniform(0, 8.5)) * (-1 if nth % 2 else 1))
    run.crowd.wait_for_news()


# Rules.


@contextmanager
def with_other_rules(play: Playing, server: PostgresServer, folder: Path, size: Size) -> Iterator[Run]:
    """Beside all others there is a node whose ruleset differs in one line."""
    folder.mkdir(exist_ok=True)
    other = tree_with_other_rules(folder / "other")
    with play(server, folder, size) as run:
        seat, file, campaigns = "P99", folder / "strangers", next(iter(run.seats.values()))
        file.mkdir()
        with run.book() as book:
            for campaign in campaigns:
                book.campaign(campaign).do("take-seat", {"seat": seat, "role": "player"})
        strangers = Crowd([Client(seat, campaigns, run.address, file, {}, other, pause=size.pause)])
        run.beside = strangers
        run.checks.append(lambda found: _check_strangers(strangers, found))
        strangers.clients[0].start()
        try:
            yield run
        finally:
            strangers.clients[0].kill()


def _check_strangers(strangers: Crowd, found: Findings) -> None:
    """Note whatever was recorded for the node that may not play."""
    told = strangers.ledger()
    wrong = [f"{one.id} of {one.campaign} was played by other rules." for one in told.acknowledged]
    wrong += [answer for answer in told.answers if "reads and does not play" not in answer]
    found.torn += wrong if told.answers else ["The node with other rules never was refused."]


def tree_with_other_rules(folder: Path) -> Path:
    """The files of the program, with one line more in the ruleset that is played."""
    for part in TREE:
        shutil.copytree(ROOT / part, folder / part, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "ruleset_plugins" / "storytoken" / "__init__.py").open("a", encoding="utf-8") as file:
        file.write("\nANOTHER_RULE = True\n")
    return folder


def play_by_other_rules(run: Run, nth: int) -> None:
    """The node with other rules tries to play once more, while the others do."""
    assert isinstance(run.beside, Crowd)
    before, end = run.beside.ledger().answers.total(), time.monotonic() + 60
    while run.beside.ledger().answers.total() == before:
        assert time.monotonic() < end, "the node with other rules is not answered"
        time.sleep(0.02)
    run.crowd.wait_for_news()


# Two at once.


@contextmanager
def in_one_campaign(play: Playing, server: PostgresServer, folder: Path, size: Size) -> Iterator[Run]:
    """All players in one campaign, without a pause."""
    with play(server, folder, attrs.evolve(size, pause=0.0), together=True) as run:
        yield run


def meet_in_one_campaign(run: Run, nth: int) -> None:
    """Each listener is told a thing once more, though all write to one campaign."""
    run.crowd.wait_for_news()


FAULTS = (
    Fault("kill -9 of a node", kill_a_node),
    Fault("kill -9 of a backend", kill_a_backend),
    Fault("immediate restart of PostgreSQL", restart_the_server, is_rare=True),
    Fault("promotion of a synchronous standby", promote_the_standby, with_a_standby, is_rare=True),
    Fault("connections delayed, cut, half open", disturb_connections, through_a_proxy),
    Fault("full disk of the database", fill_the_disk, on_a_disk_of_its_own),
    Fault("clock jumps of a node", set_the_clock, with_a_jumping_clock),
    Fault("a node with other rules", play_by_other_rules, with_other_rules),
    Fault("all nodes in one campaign", meet_in_one_campaign, in_one_campaign),
)
RARELY = 5
"""A rare fault is done so many times less often."""
