"""The arithmetic of the simulation of hosting: what one node took, times a Friday night."""

from __future__ import annotations

import pytest
from attrs import evolve

from benchmarks.hosting_simulation import MEGABYTE, Taken, reckoned, table, without_beginning

TAKEN = Taken(
    tables=10, command=0.020, live_read=0.002, database=0.004, commits=3.0, log=4_000, warm=2 * MEGABYTE, stream=20_000
)


def test_each_line_is_what_it_says() -> None:
    said = "\n".join(reckoned(TAKEN, entry=500, base=100 * MEGABYTE))
    assert "5,000 tables / 20 s = 250/s; live reads: × 6 = 1,500/s; streams: 30,000" in said
    assert "250 × 20.00 ms + 1,500 × 2.00 ms = 5.00 + 3.00 = 8.00" in said
    assert "8.00 / 0.5 = 16 for processors; 30,000 / 1,000 = 30 for streams; the larger, and one to spare: 31" in said
    assert "100.00 MB + 161 campaigns × 2.00 MB + 968 streams × 20.0 kB = 441.94 MB" in said
    assert "250 × 4.00 ms = 1.00" in said and "250 × 3.0 = 750/s" in said and "250 × 4.0 kB = 1.0 MB/s" in said
    assert "100,000 × 2,000 entries × 500 bytes = 100 GB" in said


def test_more_work_takes_more_nodes_than_the_limit_of_streams_does() -> None:
    said = "\n".join(reckoned(evolve(TAKEN, command=0.1), entry=500, base=100 * MEGABYTE))
    assert "28.00 / 0.5 = 56 for processors" in said and "one to spare: 57" in said


def test_what_was_measured_has_a_column_for_each_scale() -> None:
    lines = table([TAKEN, TAKEN]).splitlines()
    assert lines[0] == "| one node | 10 tables | 10 tables |"
    assert "| a command, processor time of the node | 20.00 ms | 20.00 ms |" in lines


def test_what_only_the_first_tables_take_is_not_counted_for_each() -> None:
    few, many = evolve(TAKEN, tables=3, stream=100.0), evolve(TAKEN, tables=12, stream=40.0)
    assert without_beginning(few, many).stream == pytest.approx((12 * 40 - 3 * 100) / 9)
    assert without_beginning(few, many).command == many.command
