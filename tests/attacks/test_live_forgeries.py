"""No forgery that a changed program makes in play is VERIFIED by everybody, and all who look at it say the same.

Its hashes, its receipts and its faces are right. Every field of a place, a source, a request, a roll, a count, an envelope and a
first line has one: the fields are found from the types, so that a new one is red until somebody has tried to forge it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import attrs
import pytest

from rollbook.application.encoding.envelopes import Private, Public, Seal
from rollbook.domain.dice.record import RequestKey, RollCount, Source, StreamPlace
from rollbook.domain.events import DiceRolled
from tests.attacks.forging import CHAIN, DICE, Findings, file_of, looked_at, verdicts_in
from tests.attacks.live_envelopes import PRIVATE, PUBLIC, SEAL
from tests.attacks.live_forgeries import COUNTS, PLACES, REQUESTS, ROLLS, SOURCES, Field, Live
from tests.attacks.live_heads import FILES, FREE, HEADS, READERS, Head, fields_of, with_head, written
from tests.attacks.live_play import LivePlay
from tests.support.exports import verify
from tests.support.javascript import JavaScriptVerifier, same
from tests.support.needs import missing

FIELDS: dict[type, tuple[Iterable[str], dict[str, Field]]] = {
    StreamPlace: (StreamPlace._fields, PLACES),
    Source: (Source._fields, SOURCES),
    RequestKey: (RequestKey._fields, REQUESTS),
    DiceRolled: ({field.name for field in attrs.fields(DiceRolled)} - {*RequestKey._fields, "sources"}, ROLLS),
    RollCount: (RollCount._fields, COUNTS),
    Public: (Public.__struct_fields__, PUBLIC),
    Private: (Private.__struct_fields__, PRIVATE),
    Seal: (Seal.__struct_fields__, SEAL),
}
NAMED = {f"{kind.__name__}.{name}": field for kind, (_, fields) in FIELDS.items() for name, field in fields.items()}


def ways(forgeries: Mapping[str, Mapping[str, object]]) -> list[Any]:
    """Every way of forging every field: the first of each in every run, the others where there is time."""
    return [
        pytest.param(name, how, marks=pytest.mark.slow if nth else ())
        for name, hows in forgeries.items()
        for nth, how in enumerate(hows)
    ]


CAUGHT = ways({name: field.caught for name, field in NAMED.items()})
FREE_ONES = ways({name: field.free for name, field in NAMED.items()})

NEVER_CAUGHT = {
    "Public.at",
    "Public.reason",
    "Public.public_salt",
    "Private.stand",
    "Private.reads",
    "Private.salt",
    "Private.fingerprint",
    "Private.command",
    "Private.command_digest",
}
"""The fields of which every value is believed; each says why nothing is loosened by it."""

LIMIT = "each roll was for what its entry says"
"""What the verifiers leave to the audit, in their own closing words."""


@pytest.fixture(scope="module")
def javascript() -> Iterator[JavaScriptVerifier | None]:
    """The verifier in JavaScript, where Node is installed."""
    if missing("node"):
        yield None
        return
    with closing(JavaScriptVerifier()) as verifier:
        yield verifier


def _forged(live: Live, folder: Path, javascript: JavaScriptVerifier | None) -> Findings:
    play = LivePlay(folder / "play").play(live.step, live.program)
    true = play.noted()
    (folder / "seen").mkdir()
    found = looked_at(true.stored, true, folder / "seen")
    if javascript:
        path = folder / "forged.jsonl"
        path.write_bytes(file_of(true.stored, true.campaign))
        assert same(javascript, path, plain=False) == found.said
        for reader in READERS if found.of_engine(CHAIN) != "FAILED" else ():
            written(play.campaign, reader, path)
            same(javascript, path, plain=False)
    return found


def test_every_field_of_the_types_has_a_forgery_or_a_reason() -> None:
    for kind, (names, fields) in FIELDS.items():
        assert set(names) == set(fields), kind.__name__
    for name, field in NAMED.items():
        assert field.gains, name
        assert bool(field.free) == bool(field.why_free), name
        assert field.caught or field.free, name
    assert {name for name, field in NAMED.items() if not field.caught} == NEVER_CAUGHT


def test_the_play_itself_is_verified_by_everybody(tmp_path: Path, javascript: JavaScriptVerifier | None) -> None:
    found = _forged(Live("first session", nullcontext), tmp_path, javascript)
    assert found.is_verified, found.answers
    assert (found.damage, found.refused, found.code) == ("", "", 0)
    assert LIMIT in found.said


@pytest.mark.parametrize(("name", "how"), CAUGHT, ids=lambda each: each)
def test_a_forged_value_is_found_by_all_or_by_the_rules(
    name: str, how: str, tmp_path: Path, javascript: JavaScriptVerifier | None
) -> None:
    live, (chain, dice, rules) = NAMED[name].caught[how]
    found = _forged(live, tmp_path, javascript)
    assert (found.of_engine(CHAIN), found.of_verifier(CHAIN)) == (chain, chain)
    assert (found.of_engine(DICE), found.of_verifier(DICE)) == (dice, dice)
    assert rules in ("", found.of_engine("rules"))
    assert "VERIFIED" not in {chain, dice, rules} or (chain, dice, rules) != ("VERIFIED",) * 3
    assert (found.code == 0) == (chain == "VERIFIED" and dice != "FAILED")
    if chain != "FAILED":
        assert found.answers["receipts"].verdict == "VERIFIED"
        assert LIMIT in found.said


@pytest.mark.parametrize(("name", "how"), FREE_ONES, ids=lambda each: each)
def test_a_value_that_binds_nobody_is_believed_by_everybody(
    name: str, how: str, tmp_path: Path, javascript: JavaScriptVerifier | None
) -> None:
    found = _forged(NAMED[name].free[how], tmp_path, javascript)
    assert found.is_verified, found.answers
    assert found.code == 0


# The first line of a file.


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Honest files of every kind."""
    folder = tmp_path_factory.mktemp("files")
    play = LivePlay(folder / "play").play()
    return {file: written(play.campaign, file, folder / "export.jsonl") for file in FILES}


def test_every_field_of_a_first_line_has_a_forgery(files: dict[str, bytes]) -> None:
    assert set(HEADS) == {name for file in files.values() for name in fields_of(file)}
    assert FREE.keys() <= HEADS.keys()


@pytest.mark.parametrize("name", HEADS)
def test_a_forged_first_line_is_found_by_both_verifiers(
    name: str, files: dict[str, bytes], tmp_path: Path, javascript: JavaScriptVerifier | None
) -> None:
    for head in HEADS[name]:
        assert _seen(files, name, head, tmp_path, javascript) == head.seen, head


@pytest.mark.parametrize("name", FREE)
def test_a_first_line_may_give_a_file_another_name(
    name: str, files: dict[str, bytes], tmp_path: Path, javascript: JavaScriptVerifier | None
) -> None:
    heads, why = FREE[name]
    assert why
    for head in heads:
        honest = fields_of(files[head.file])[name]
        as_it_was = _seen(files, name, attrs.evolve(head, value=honest), tmp_path, javascript)
        assert _seen(files, name, head, tmp_path, javascript) == as_it_was, head


def _seen(
    files: dict[str, bytes], name: str, head: Head, folder: Path, javascript: JavaScriptVerifier | None
) -> tuple[int, str, str]:
    path = folder / "forged.jsonl"
    path.write_bytes(with_head(files[head.file], name, head.value))
    code, said = verify(path)
    if javascript:
        same(javascript, path, plain=False)
    found = verdicts_in(said)
    return code, found.get(CHAIN, ""), found.get(DICE, "")
