"""All waits of a command come off one account, whichever thread they are in, and nothing else does."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from rollbook.application.ports.deadline import (
    AFTER_A_QUEUE,
    OF_A_COMMAND,
    PATIENCE,
    carried,
    command_deadline,
    end_command,
    is_over,
    left,
    waiting,
)


def test_without_a_command_each_wait_has_the_whole_patience() -> None:
    with waiting():
        time.sleep(0.05)
    assert left() == PATIENCE
    assert not is_over()


def test_what_was_waited_for_is_missing_from_the_next_wait_and_what_was_worked_out_is_not() -> None:
    with command_deadline():
        assert left() == OF_A_COMMAND
        with waiting():
            time.sleep(0.2)
        after = left()
        assert OF_A_COMMAND - 0.4 < after <= OF_A_COMMAND - 0.2
        time.sleep(0.1)
        assert left() == after
        with waiting(work=10.0):
            time.sleep(0.1)
        assert left() == after
        with waiting() as wait:
            time.sleep(0.1)
            wait.work = 0.1
        assert after - left() < 0.05
    assert left() == PATIENCE


def test_a_wait_that_fails_counts() -> None:
    with command_deadline():
        with suppress(OSError), waiting():
            time.sleep(0.1)
            raise OSError
        assert left() <= OF_A_COMMAND - 0.1


def test_a_command_inside_another_has_what_is_left_of_it() -> None:
    with command_deadline():
        with waiting():
            time.sleep(0.1)
        with command_deadline():
            inside = left()
        assert inside == left() < OF_A_COMMAND


def test_after_its_end_a_command_binds_nobody_who_began_in_it() -> None:
    with command_deadline():
        with waiting():
            time.sleep(0.1)
        work = carried(left)
        end_command()
        assert left() == PATIENCE
        assert carried(left)() == PATIENCE
    assert work() == PATIENCE


def test_another_thread_goes_on_with_what_is_left_after_the_queue_and_leaves_none_of_it_behind() -> None:
    with ThreadPoolExecutor(1) as thread, command_deadline():
        thread.submit(time.sleep, 0.3)
        assert thread.submit(carried(left)).result() <= OF_A_COMMAND - 0.2
        assert thread.submit(left).result() == PATIENCE
        assert left() <= OF_A_COMMAND - 0.2


def test_work_that_is_part_of_no_command_is_one_where_commands_wait_for_it() -> None:
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(carried(left)).result() == PATIENCE
        assert thread.submit(carried(left, as_command=True)).result() <= OF_A_COMMAND


def test_a_long_queue_leaves_enough_to_be_answered_by_a_server_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    with command_deadline():
        work = carried(left)
        late = time.monotonic() + 60
        monkeypatch.setattr("rollbook.application.ports.deadline.monotonic", lambda: late)
        assert work() == AFTER_A_QUEUE
        assert not is_over()
