"""Whatever is typed or handed over: the answer is a sentence of ours, and what cannot be used changes nothing."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest

RAW = re.compile(
    r"Traceback|Something inside|Expecting|delimiter|codec|Errno|JSON ?Decode|msgspec|sqlite3?\.|0x[0-9a-f]{6}|\berror\b",
    re.IGNORECASE,
)
"""Words of libraries, which nobody at a table can use."""

FILES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda whole: b"",
    "blank": lambda whole: b"\n\n",
    "text": lambda whole: b"Dear diary, today we met the sheriff.\n",
    "no text": lambda whole: b"\xff\xfe\x00\n",
    "half an object": lambda whole: b'{"format": "rollbook/export/1", "camp',
    "another object": lambda whole: b'{"wolf": 1}\n',
    "a list": lambda whole: b"[1, 2]\n",
    "a number": lambda whole: b"7\n",
    "a large number": lambda whole: b'{"format": ' + b"9" * 5_000 + b"}\n",
    "deep": lambda whole: b"[" * 100_000 + b"\n",
    "a picture": lambda whole: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4,
    "in another encoding": lambda whole: whole.decode().encode("utf-16"),
    "with a mark at its beginning": lambda whole: b"\xef\xbb\xbf" + whole,
    "with other line ends": lambda whole: whole.replace(b"\n", b"\r\n"),
    "compressed": gzip.compress,
    "compressed and cut off": lambda whole: gzip.compress(whole)[:200],
    "cut off": lambda whole: whole[: len(whole) * 2 // 3],
    "without its end": lambda whole: whole[: whole[:-1].rindex(b"\n") + 1],
    "with a byte more": lambda whole: whole + b"\0",
    "with letters that are none": lambda whole: whole.replace(b"Robin", b"R\xffbin"),
    "of another version": lambda whole: whole.replace(b"rollbook/export/1", b"rollbook/export/7"),
    "with its lines swapped": lambda whole: b"\n".join(reversed(whole.split(b"\n"))),
}


@pytest.mark.parametrize("command", ["import", "import --from avrae", "play", "restore"])
@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_none_of_ours_is_refused_in_a_sentence(table, home, stored, name: str, command: str) -> None:
    assert table(f"export {home}/whole.jsonl").code == 0
    odd = home / ("odd.gz" if "compressed" in name and "avrae" in command else "odd.jsonl")
    odd.write_bytes(FILES[name]((home / "whole.jsonl").read_bytes()))
    before = stored()
    answer = table(f"{command} {odd}")
    assert answer.code in (1, 2, 3, 6), answer
    assert answer.out == "" and answer.err.count("\n") == 1, answer
    assert answer.err.rstrip().endswith((".", "?", "--help", "--from rollbook")), answer
    assert not RAW.search(answer.err), answer.err
    assert stored() == before


@pytest.mark.parametrize("command", ["import", "import --from avrae", "play", "restore", "export", "backup"])
@pytest.mark.parametrize("name", ["a folder", "/dev/null", "/dev/zero", "nothing there"])
def test_what_is_not_a_file_is_refused_in_a_sentence(table, home: Path, stored, name: str, command: str) -> None:
    if (command, name) == ("play", "/dev/zero"):
        pytest.skip("A script is read to its end, from pipes too.")
    if command in ("export", "backup") and name == "nothing there":
        pytest.skip("That is where it is written.")
    before = stored()
    path = {"a folder": home, "nothing there": home / "none"}.get(name, name)
    answer = table(f"{command} {path}")
    assert answer.code in (1, 2, 3, 6) and answer.err.count("\n") == 1
    assert not RAW.search(answer.err), answer.err
    assert stored() == before


LARGE = "9" * 5_000
WORDS = [
    *(
        "log 'who={bad}'",
        "stats '{bad}=1'",
        "log --search {bad}",
        "sheet {bad}",
        "why robin {bad}",
        "do note {bad}",
        "-c {bad} log",
    ),
    *(
        "do attack {bad} guard longbow",
        "rulesets {bad}",
        "verbs {bad}",
        "xp {bad}",
        "stats --who {bad}",
        "undo --where who={bad} --yes --why x",
    ),
    *(
        "log --session {large}",
        "log -n {large}",
        "log after={large}",
        "sheet --at {large}",
        "undo {large} --yes --why x",
        "diff {large} 1",
    ),
    *(
        "do roll 1d{large}",
        "do harm robin {large}",
        "do attack robin guard longbow --dice {large}",
        "fork --at @{large}",
        "compare {large}",
    ),
    *(
        "reveal {large}",
        "redact {large} --yes --why x",
        "override {large} --dice 3 --yes --why x",
        "reroll --roll {large}",
        "do end-turn --next {large}",
    ),
    *(
        "log session={large}",
        "log scene={large}",
        "stats --at s{large}",
        "amend 8 distance={large} --yes --why x",
        "{large}",
        "do {large}",
    ),
]


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("large", [LARGE, "9" * 20], ids=["5000 digits", "20 digits"])
def test_letters_and_numbers_that_are_none_are_refused_in_a_short_sentence(
    table, stored, words: str, large: str
) -> None:
    before = stored()
    answer = table(words.format(bad="\udcff\x00", large=large))
    said = answer.err + answer.out
    assert not RAW.search(said), said
    assert len(said) < 2_000, "what was typed is not said again at length"
    assert stored() == before


def test_an_export_says_what_it_is_where_its_name_promises_something_else(table, home: Path) -> None:
    for name in ("chronicle.md", "robin.doc", "all.json", "all.gz"):
        assert "is JSON lines, whatever its name says" in table(f"export {home}/{name}").err
    assert table(f"export {home}/all.jsonl").err == ""


def test_a_players_own_file_says_why_it_is_not_imported_and_what_reads_it(table, home: Path) -> None:
    table(f"export {home}/mira.jsonl --for Mira")
    answer = table(f"import {home}/mira.jsonl")
    assert answer.code == 1
    assert "leaves out what others may see" in answer.err
    assert f"python3 verify_rollbook.py {home}/mira.jsonl" in answer.err
