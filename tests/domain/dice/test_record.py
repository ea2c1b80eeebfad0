"""What is recorded about a roll can be written down and read back by its types alone."""

from __future__ import annotations

import subprocess
import sys
import typing
from pathlib import Path

import attrs
import msgspec
import pytest

from rollbook.domain.dice.evaluation import evaluate
from rollbook.domain.dice.physical import TypedDice
from rollbook.domain.dice.record import Die, Flat, Roll, Source, StreamPlace


@pytest.mark.parametrize("text", ["1d20adv+2 STR+10 Investigation Expert", "2d6x", "3d6ro<=2kh2mi2"])
def test_a_roll_survives_being_written_down(text: str) -> None:
    roll = evaluate(text, TypedDice([2, 3, 1, 4, 5]).draw)
    written = msgspec.json.encode(roll)
    assert msgspec.json.Decoder(Roll).decode(written) == roll


def test_a_source_survives_being_written_down() -> None:
    source = Source("stream", 2, 3, StreamPlace(screen=True, fork=0, seat=1, number=7))
    assert msgspec.json.encode(source) == b'["stream",2,3,[true,0,1,7]]'
    assert msgspec.json.encode(Source("physical", 1)) == b'["physical",1,0,null]'
    assert msgspec.json.Decoder(Source).decode(msgspec.json.encode(source)) == source


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Roll, {field.name for field in attrs.fields(Roll)}),
        *((kind, set(kind._fields)) for kind in (Source, Die, Flat, StreamPlace)),
    ],
)
def test_recorded_values_are_frozen_and_their_types_are_known(kind: type, fields: set[str]) -> None:
    assert set(typing.get_type_hints(kind)) == fields
    assert hasattr(kind, "__slots__")


@pytest.mark.parametrize("written", [Die(20, 17, term=1), Flat(3, "DEX")])
def test_a_die_and_a_flat_term_are_short_arrays_when_written_down(written: Die | Flat) -> None:
    text = msgspec.json.encode(written)
    assert text.startswith(b"[")
    assert msgspec.json.decode(text, type=type(written)) == written


def test_what_a_die_adds() -> None:
    assert Die(6, 4).value == 4
    assert Die(6, 1, counts_as=3).value == 3
    assert Die(6, 4, kept=False, why="dropped").value == 0


def test_dice_load_without_the_odds() -> None:
    root = Path(__file__).resolve().parents[3]
    code = "import sys; from rollbook.domain.dice import evaluation, stream, supply; print('fractions' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"
