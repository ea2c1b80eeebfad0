"""Exporters are found by name among the entry points of a group, rollbook's own like anybody's; the door sees to the rest."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from rollbook.adapters.exports import GROUP, find_exporter
from rollbook.domain.base.errors import NotFound, RollbookError
from tests.support.plugins import put_module
from tests.support.processes import ROOT
from tests.support.stores import unguarded
from tests.support.terminal import RunRollbook

Install = Callable[[str, str, str], None]
PAGE = ROOT / "docs" / "write-a-plug-in.md"
EXAMPLE = re.search(
    r'^```python title="rollbook_diary/exporter\.py"\n(.*?)^```', PAGE.read_text(), re.MULTILINE | re.DOTALL
)
SECRETS = """\
campaign "Two Rooms" storytoken
take-seat Ana --role gm
take-seat Mira
take-seat Tom
open-session "Mira begins"
scene mill
note "The door is painted shut." --secret
join Guard --kind npc --hp 18 --ac 12
note "TOM hid mira's lantern; Tomas saw it." --why "as Mira said"
note "Only between us." --to Tom --seat Mira
roll 1d20 --seat Tom ! 7
undo 11 --why "Tom asked"
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a distribution with one module and one exporter in it: ``install("story", "module:function", code)``."""
    monkeypatch.syspath_prepend(tmp_path)
    return partial(put_module, tmp_path, GROUP)


@pytest.fixture
def story(rollbook: RunRollbook, home: Path, install: Install) -> RunRollbook:
    """A campaign with secrets in the store, and the exporter of docs/write-a-plug-in.md installed."""
    assert EXAMPLE is not None
    install("story", "my_exporter:export_story", EXAMPLE[1])
    (home / "two.session").write_text(SECRETS, encoding="utf-8")
    answer = rollbook(f"play {home / 'two.session'}")
    assert answer.code == 0, answer.err
    return rollbook


def test_an_exporter_of_another_distribution_is_used_by_the_command(story: RunRollbook, home: Path) -> None:
    answer = story(f"export {home / 'two.txt'} --to story")
    assert answer.code == 0, answer.err
    assert "--for gm" in answer.out
    text = (home / "two.txt").read_text(encoding="utf-8")
    assert "mira's lantern" in text
    assert "painted" not in text and "between us" not in text, "it is for the table where nobody else is named"
    assert f"holds {len(text.splitlines()) - 1} entries of two-rooms, as the table may see it." in answer.out


@pytest.mark.parametrize(
    ("reader", "seen", "hidden"),
    [("gm", ("painted", "between us"), ()), ("tom", ("between us",), ("painted",)), ("table", (), ("between us",))],
)
def test_an_export_holds_what_its_reader_may_see(
    story: RunRollbook, home: Path, reader: str, seen: tuple[str, ...], hidden: tuple[str, ...]
) -> None:
    answer = story(f"export {home / 'two.txt'} --to story --for {reader}")
    assert answer.code == 0, answer.err
    text = (home / "two.txt").read_text(encoding="utf-8")
    assert [word for word in seen if word not in text] == [word for word in hidden if word in text] == []


def test_numbers_do_not_skip_where_something_is_hidden(story: RunRollbook, home: Path) -> None:
    story(f"export {home / 'two.txt'} --to story")
    numbers = [int(line.split()[0][1:]) for line in (home / "two.txt").read_text(encoding="utf-8").splitlines()[1:]]
    assert set(numbers) == set(range(1, max(numbers) + 1))


def test_one_session_and_a_filter_narrow_what_is_written(story: RunRollbook, home: Path) -> None:
    for at, (words, expected) in enumerate(
        {"--session 1": 6, "--session 0": 4, "--session 1 --where verb=note": 1}.items()
    ):
        answer = story(f"export {home / f'{at}.txt'} --to story {words} --json")
        assert answer.data["entries"] == expected, words
    assert "the last one is 1" in story(f"export {home / 'x.txt'} --to story --session 7").err
    assert not (home / "x.txt").exists()


def test_pseudonyms_stand_for_people_in_what_they_wrote_too(story: RunRollbook, home: Path) -> None:
    answer = story(f"export {home / 'two.txt'} --to story --for gm --pseudonyms")
    text = (home / "two.txt").read_text(encoding="utf-8")
    assert "Seat 2 hid Seat 1's lantern; Tomas saw it." in text
    assert "Seat 1 begins" in text
    assert not re.search(r"\b(ana|mira|tom)\b", text, re.IGNORECASE)
    assert "nickname" in answer.out


def test_pseudonyms_are_the_same_in_every_export_of_a_campaign(story: RunRollbook, home: Path) -> None:
    story(f"export {home / 'one.txt'} --to story --for tom --pseudonyms")
    story("do take-seat Una")
    answer = story(f"export {home / 'two.txt'} --to story --for tom --pseudonyms --json")
    assert answer.data["for"] == "player:Seat 2"
    earlier = (home / "one.txt").read_text(encoding="utf-8").splitlines()
    assert (home / "two.txt").read_text(encoding="utf-8").splitlines()[: len(earlier)] == earlier


def test_a_timeline_is_exported_like_a_campaign(story: RunRollbook, home: Path) -> None:
    story("fork --at 6 --why 'what if'")
    story("do note 'on the other hand' -c ~1")
    answer = story(f"export {home / 'other.txt'} --to story -c ~1")
    assert answer.code == 0, answer.err
    text = (home / "other.txt").read_text(encoding="utf-8")
    assert "on the other hand" in text and "lantern" not in text


def test_a_damaged_history_is_not_exported(story: RunRollbook, home: Path) -> None:
    with closing(sqlite3.connect(home / "books" / "rollbook.db")) as store, store:
        changed = "CAST(replace(CAST(state AS TEXT), 'painted', 'broken') AS BLOB)"
        unguarded(store).execute(
            f"UPDATE stored_events SET state = {changed} WHERE CAST(state AS TEXT) LIKE '%painted%'"
        )
    for path in (home / "books").glob("rollbook.read.db*"):
        path.unlink()
    answer = story(f"export {home / 'two.txt'} --to story")
    assert (answer.code, (home / "two.txt").exists()) == (6, False)


def test_a_session_in_which_nothing_fits_is_refused(story: RunRollbook, home: Path) -> None:
    answer = story(f"export {home / 'x.txt'} --to story --session 0 --where verb=note")
    assert (answer.code, "Nothing of session 0 fits" in answer.err) == (3, True)


def test_a_folder_is_asked_for_where_several_files_are_written(story: RunRollbook, home: Path) -> None:
    for format_, name in (("csv", "two.csv"), ("markdown", "two.md")):
        answer = story(f"export {home / name} --to {format_}")
        assert (answer.code, "name a folder" in answer.err) == (1, True)
        assert not (home / name).exists()


def test_an_unknown_format_is_refused_with_the_nearest(story: RunRollbook, home: Path) -> None:
    answer = story(f"export {home / 'two.txt'} --to stori")
    assert (answer.code, "Did you mean story" in answer.err) == (3, True)
    assert "jsonl" in story(f"export {home / 'two.txt'} --to json-lines").err


def test_formats_are_completed(story: RunRollbook, completions: Callable[[str], list[str]]) -> None:
    assert "story" in completions("rollbook export x --to s")
    assert "jsonl" in completions("rollbook export x --to ")


def test_json_lines_stay_what_they_are(table: RunRollbook, home: Path) -> None:
    table(f"export {home / 'one.jsonl'}")
    table(f"export {home / 'two.jsonl'} --to jsonl --for gm")
    assert (home / "one.jsonl").read_bytes() == (home / "two.jsonl").read_bytes()
    for option in ("--pseudonyms", f"--pictures {home}"):
        answer = table(f"export {home / 'three.jsonl'} {option}")
        assert (answer.code, option.split()[0] in answer.err) == (2, True)
    assert table(f"export {home / 'three.jsonl'} --for mira --session 1").code == 2
    assert table(f"export {home / 'three.jsonl'} --session 1").code == 0


def test_what_is_exported_records_nothing(
    story: RunRollbook, home: Path, install: Install, stored: Callable[[], object]
) -> None:
    turn = "ActionRequest(WriteNote(text='x'))"
    lines = (
        "from rollbook.application.playing.request import ActionRequest",
        "from rollbook.domain.actions.notes import WriteNote",
        "def write(request):",
        "    assert not hasattr(request.campaign, 'do') and not hasattr(request.campaign, 'corrections')",
        f"    request.campaign.session.take({turn})",
    )
    install("eager", "eager_exporter:write", "\n".join(lines) + "\n")
    before = stored()
    answer = story(f"export {home / 'x'} --to eager")
    assert (answer.code, "records nothing" in answer.err) == (4, True)
    assert stored() == before


def test_an_exporter_that_fails_on_import_is_named(install: Install) -> None:
    install("sorry", "sorry_exporter:write", "raise ValueError('no ink')")
    with pytest.raises(RollbookError, match=r"'sorry' \(sorry_exporter 1\.0, .*\) fails on import: ValueError: no ink"):
        find_exporter("sorry")


def test_an_exporter_that_returns_something_else_is_named(story: RunRollbook, home: Path, install: Install) -> None:
    install("odd", "odd_exporter:write", "def write(request):\n    return 'a book'\n")
    assert "returns a str, not an Exported" in story(f"export {home / 'x'} --to odd").err


def test_two_distributions_under_one_name_are_both_refused(install: Install) -> None:
    install("twice", "one_exporter:write", "def write(request): ...")
    install("twice", "other_exporter:write", "def write(request): ...")
    with pytest.raises(RollbookError, match=r"claimed by several distributions \(one_exporter 1\.0.*other_exporter"):
        find_exporter("twice")


def test_nothing_is_found_under_no_name() -> None:
    with pytest.raises(NotFound):
        find_exporter("")
