"""Workers of campaigns compute one after the other, but for work that takes long."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from rollbook.adapters.web.workers.turns import TURN_SECONDS, Turns
from tests.support.web import until

MANY = 4


def test_threads_compute_one_at_a_time() -> None:
    turns, at_once, most = Turns(), [0], [0]

    def work(_: int) -> None:
        for _ in range(20):
            with turns.one():
                at_once[0] += 1
                most[0] = max(most[0], at_once[0])
                sum(range(1_000))
                at_once[0] -= 1

    with ThreadPoolExecutor(MANY) as threads:
        list(threads.map(work, range(MANY)))
    assert most == [1]


def test_nobody_waits_for_work_that_takes_long() -> None:
    turns, go_on, done = Turns(), threading.Event(), list[int]()

    def long() -> None:
        with turns.one():
            go_on.wait(20)

    def short(number: int) -> None:
        with turns.one():
            done.append(number)

    with ThreadPoolExecutor(MANY) as threads:
        waits = threads.submit(long)
        until(lambda: waits.running())
        threads.map(short, range(MANY - 1))
        try:
            until(lambda: sorted(done) == [0, 1, 2])
            assert not waits.done()
        finally:
            go_on.set()
    with turns.one():  # the turn that long work had is given back
        pass
    assert TURN_SECONDS < 1


def test_a_turn_ends_with_a_fault() -> None:
    turns = Turns()

    def fails() -> None:
        with turns.one():
            raise OSError

    with ThreadPoolExecutor(1) as threads:
        assert isinstance(threads.submit(fails).exception(), OSError)
    assert not turns._lock.locked()
