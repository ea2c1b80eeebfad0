"""A broken recording imports nothing and says where it is broken; no other error than ours comes out."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rollbook.adapters.imports.avrae.importer import read_avrae
from rollbook.domain.base.errors import NotFound, RollbookError

STRANGE: tuple[Any, ...] = (None, True, -3, 2**70, 1.5, 1e300, "", "x" * 40, [], [3], {}, {"a": 1}, "\ud800", [None])


def busy(log: Any) -> Any:
    """A recording in which everything that the import looks at happens once."""
    both = [log.pc("Tessa", 13, effects={"Wet": "RA1"}), log.monster("RA1", 12)]
    save = {
        "type": "save", "dc": 13, "ability": "wisdomSave", "save_roll": {"result": "1d20 (2) = `2`"}, "did_save": False,
        "children": [log.damage(5, "2d4 (2, 3) [cold] = `5`")],
    }  # fmt: skip
    counter = {"type": "counter", "counter_name": "1", "used_amount": 1, "counter_remaining": 2, "skipped": False}
    loose = {"type": "roll", "roll": {"result": "1d4 (2) = `2`"}, "hidden": False}
    ward = {"type": "temphp", "amount": 4, "amount_roll": {"result": "4 = `4`"}}
    attack = log.attack("1d20 (9) + 4 = `13`", 12, log.damage(3, "1d4 (3) = `3`"))
    recorder = log.fight().did(
        "init attack", "!i a bite -t tessa", (1, 0, both), caster="RA1", targets=("Tessa",),
        result=log.root(counter, loose, log.upon("Tessa", attack, save, ward)), answer={"title": "RA1 casts Bite!"},
    )  # fmt: skip
    recorder.add("alias_resolution", message_id=1)
    recorder.add("button_press", interaction_id=900, author_name="Ben", author_id="Ben", button_label="Dry")
    recorder.ran(900, "Tessa", log.root(log.upon("Tessa", log.damage(-1, "-1 [heal] = `-1`"))))
    recorder.shows(900, 1, 0, [log.pc("Tessa", 14), log.monster("RA1", 12)])
    recorder.did("init hp", "!i hp ra1 -2", (2, 1, [log.pc("Tessa", 14), log.monster("RA1", 10)]))
    recorder.did(
        "check", "!c arcana", author="Ben", caster="Tessa",
        answer={"title": "Tessa makes an Arcana check!", "words": "**DC 5**\n1d20 (3) = `3`; Failure!"},
    )  # fmt: skip
    recorder.did(
        "game longrest", "!g lr", author="Ben", caster="Tessa",
        answer={"title": "Tessa took a Long Rest!", "Hit_Points": "20/20 (+6)"},
    )  # fmt: skip
    return log.over(recorder)


def refused(path: Path) -> str:
    with pytest.raises(RollbookError) as caught:
        read_avrae(path)
    return str(caught.value)


def written(path: Path, lines: list[Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_missing_file_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no file"):
        read_avrae(tmp_path / "nowhere.jsonl")


def test_a_folder_cannot_be_read(tmp_path: Path) -> None:
    assert "cannot be read" in refused(tmp_path)


@pytest.mark.parametrize("name", ["empty.jsonl", "empty.jsonl.gz"])
def test_an_empty_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    assert "is empty" in refused(tmp_path / name)


def test_a_name_in_gz_promises_gzip(tmp_path: Path, log: Any) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(busy(log).text())
    assert "not compressed with gzip" in refused(tmp_path / "a.jsonl.gz")
    (tmp_path / "a.jsonl").write_bytes(gzip.compress(busy(log).text()))
    assert "call it a.jsonl.gz" in refused(tmp_path / "a.jsonl")


def test_a_compressed_file_that_breaks_off(tmp_path: Path, log: Any) -> None:
    whole = gzip.compress(busy(log).text())
    path = tmp_path / "a.jsonl.gz"
    for length in (2, 11, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        assert "the compressed file breaks off here" in refused(path)
        assert ", line " in refused(path)


def test_a_combat_without_its_closing_line_comes_in_unfinished(tmp_path: Path, log: Any) -> None:
    imported = read_avrae(written(tmp_path / "a.jsonl", busy(log).lines[:20]))
    assert "end-encounter" not in {action.verb for action in imported.actions}
    assert imported.actions[-1].verb == "close-session"
    assert imported.warnings == ("Line 2: the combat that begins here has no end on record.",)


def test_a_combat_whose_beginning_is_missing_begins_with_its_first_update(tmp_path: Path, log: Any) -> None:
    lines = [line for line in busy(log).lines if line["event_type"] != "combat_start"]
    imported = read_avrae(written(tmp_path / "a.jsonl", lines))
    assert [action.verb for action in imported.actions].count("begin-encounter") == 1


@pytest.mark.parametrize("empty", ["targets", "button_label", "probable_interaction_id", "caster"])
def test_what_the_bot_leaves_empty_is_no_reason_to_refuse(tmp_path: Path, log: Any, empty: str) -> None:
    lines = [
        {**line, empty: None} if empty in line and line["event_type"] != "automation_run" else line
        for line in busy(log).lines
    ]
    assert read_avrae(written(tmp_path / "a.jsonl", lines)).actions


def test_a_file_without_a_combat(tmp_path: Path, log: Any) -> None:
    assert "holds no combat" in refused(written(tmp_path / "a.jsonl", busy(log).lines[:1]))


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b'{"event_type": "mess', "not a JSON object"),
        (b"[1, 2]", "a list, not an object"),
        (b"7", "a whole number, not an object"),
        (b'{"timestamp": 1}', "'event_type' is missing"),
        (b'{"event_type": "dance", "timestamp": 1}', "no event_type 'dance'"),
        (b'{"event_type": "combat_end"}', "'timestamp' is missing"),
        (b'{"event_type": "combat_end", "timestamp": NaN}', "a number that is not one"),
        (b'{"event_type": "combat_end", "timestamp": 1e999}', "not a time"),
        (b'{"event_type": "combat_end", "timestamp": "now"}', "'timestamp' should be a number, not a text"),
        (b'{"event_type": "command", "timestamp": 1}', "'message_id' is missing"),
        (b'{"event_type": "command", "timestamp": 1, "message_id": "x"}', "'message_id' should be a whole number"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[" * 100_000, "nested deeper"),
        (b"9" * 10_000, "far too long"),
    ],
)
def test_a_bad_line_is_named_with_what_is_wrong(tmp_path: Path, log: Any, line: bytes, what: str) -> None:
    path = tmp_path / "a.jsonl"
    lines = busy(log).text().splitlines()
    path.write_bytes(b"\n".join([*lines[:4], line, *lines[4:]]))
    message = refused(path)
    assert f"{path}, line 5: " in message
    assert what in message
    assert message.endswith("Nothing was imported.")


def test_an_automation_without_end(tmp_path: Path, log: Any) -> None:
    lines = busy(log).lines
    place = next(place for place, line in enumerate(lines) if line["event_type"] == "automation_run")
    for _ in range(200):
        lines[place]["automation_result"] = log.root(lines[place]["automation_result"])
    assert "nested deeper" in refused(written(tmp_path / "a.jsonl", lines))


def spots(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from spots(inner, (*path, key))


def changed(value: Any, spot: tuple[Any, ...], new: Any) -> Any:
    """The value with one spot changed, or gone."""
    twin = copy.deepcopy(value)
    holder = twin
    for key in spot[:-1]:
        holder = holder[key]
    if new is ...:
        del holder[spot[-1]]
    else:
        holder[spot[-1]] = new
    return twin


def imports_or_refuses(path: Path) -> None:
    try:
        read_avrae(path)
    except RollbookError as failure:
        assert str(path) in str(failure)


def test_whatever_is_missing_or_strange_only_our_error_comes_out(tmp_path: Path, log: Any) -> None:
    lines = busy(log).lines
    texts = [json.dumps(line) for line in lines]
    path = tmp_path / "a.jsonl"
    for number, (place, *spot) in enumerate(spot for spot in spots(lines) if len(spot) > 1):
        for new in (..., STRANGE[number % len(STRANGE)], STRANGE[(number * 5 + 3) % len(STRANGE)]):
            damaged = json.dumps(changed(lines[place], tuple(spot), new))
            path.write_text("\n".join([*texts[:place], damaged, *texts[place + 1 :]]))
            imports_or_refuses(path)


def test_wherever_it_breaks_off_only_our_error_comes_out(tmp_path: Path, log: Any) -> None:
    plain = busy(log).text()
    packed = gzip.compress(plain)
    for path, content in ((tmp_path / "a.jsonl", plain), (tmp_path / "a.jsonl.gz", packed)):
        for length in range(0, len(content), max(1, len(content) // 300)):
            path.write_bytes(content[:length])
            imports_or_refuses(path)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whichever_bytes_flip_only_our_error_comes_out(tmp_path: Path, log: Any, data: st.DataObject) -> None:
    plain = busy(log).text()
    for path, content in ((tmp_path / "a.jsonl", plain), (tmp_path / "a.jsonl.gz", gzip.compress(plain))):
        damaged = bytearray(content)
        for _ in range(data.draw(st.integers(1, 4))):
            damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
        path.write_bytes(damaged)
        imports_or_refuses(path)


def test_the_busy_recording_itself_is_whole(tmp_path: Path, log: Any) -> None:
    imported = read_avrae(written(tmp_path / "a.jsonl", busy(log).lines))
    assert {"attack", "use", "hp", "check", "rest", "correction"} <= {action.verb for action in imported.actions}
