"""Seeds in a file that somebody hands over are looked at before anything is changed, and never take the place of other seeds."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

ODD = {
    "a session that is none": ("'zz'", "seeds"),
    "a session with a way out": ("'../../x'", "seeds"),
    "a session that is a number": ("5", "seeds"),
    "no session": ("NULL", "seeds"),
    "no seeds": ("session", "NULL"),
    "a list": ("session", "'[1]'"),
    "no JSON": ("session", "'{'"),
    "deep JSON": ("session", f"'{'[' * 100_000}'"),
    "bytes": ("session", "x'ff00'"),
    "a secret that is missing": ("session", "replace(seeds, 'table', 'tablo')"),
    "a secret that is too short": ("session", "json_set(seeds, '$.screen', '00')"),
    "a secret that is a number": ("session", "json_set(seeds, '$.table', 5)"),
    "another session": ("session", "json_set(seeds, '$.session', '00')"),
    "a store that is a number": ("session", "json_set(seeds, '$.store', 5)"),
    "marks that are a number": ("session", "json_set(seeds, '$.marks', 7)"),
    "marks of numbers": ("session", "json_set(seeds, '$.marks', json('[7]'))"),
}
WAYS = {"restore": "backup", "import": "move"}
"""What takes a file in, and what makes it."""


def made(table, home: Path, way: str, session: str, seeds: str) -> Path:
    """A file whose seeds somebody has changed."""
    path = home / "handed-over.db"
    assert table(f"{WAYS[way]} {path}").code == 0
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE odd AS SELECT * FROM unrevealed_seeds")
        connection.execute("DROP TABLE unrevealed_seeds")
        connection.execute(f"CREATE TABLE unrevealed_seeds AS SELECT {session} AS session, {seeds} AS seeds FROM odd")
    return path


def kept(home: Path) -> dict[str, str]:
    """What is in the folder of the seeds."""
    folder = home / "state" / "rollbook" / "seeds"
    return {path.name: path.read_text() for path in folder.iterdir() if path.suffix in (".json", ".marks")}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("way", WAYS)
def test_odd_seeds_are_refused_before_anything_is_changed(table, home: Path, stored, way: str, odd: str) -> None:
    path = made(table, home, way, *ODD[odd])
    before, seeds = stored(), kept(home)
    answer = table(f"{way} {path}")
    assert answer.code == 6, answer
    assert f"{path} is damaged (the seeds in it cannot be read)" in answer.err
    assert stored() == before and kept(home) == seeds
    assert way == "import" or table("do roll 1d20").code == 0


def test_a_file_does_not_replace_the_seeds_of_a_session_that_is_open_here(table, home: Path, stored) -> None:
    """Who has an export knows the session's identity: with it somebody could be rid of the secret, or raise its marks."""
    path = made(
        table,
        home,
        "restore",
        "session",
        f"json_set(seeds, '$.table', '{'00' * 32}', '$.marks', json('[\"0 0 0 99\"]'))",
    )
    before, seeds = stored(), kept(home)
    answer = table(f"restore {path}")
    assert answer.code == 1 and "other secret seeds for a session of yours" in answer.err and str(path) in answer.err
    assert stored() == before and kept(home) == seeds
    assert table("do roll 1d20").code == 0
    assert table("do close-session").code == 0
    assert {line["question"]: line["verdict"] for line in json.loads(table("audit --json").out)["answers"]}[
        "dice"
    ] == "VERIFIED"


def test_nor_does_a_campaign_that_was_moved(table, home: Path) -> None:
    path = made(table, home, "import", "session", f"json_set(seeds, '$.screen', '{'00' * 32}')")
    assert (
        table("import " + str(path) + " --as again").code == 0
    )  # the seeds have gone from here: nothing is there to be lost
    seeds = kept(home)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE unrevealed_seeds SET seeds = json_set(seeds, '$.screen', ?)", ("11" * 32,))
    answer = table(f"import {path} --as another")
    assert answer.code == 1 and "other secret seeds" in answer.err
    assert kept(home) == seeds and "another" not in table("campaigns").out
