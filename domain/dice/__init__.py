"""Dice: what people type, how it is rolled, what is recorded, and the stream that proves it.

Exact odds are asked for by name, ``from domain.dice.odds import distribution``: most rolls need none, and loading them
takes longer than all the rest.
"""

from __future__ import annotations

from domain.dice.criticals import double_dice, maximise, multiply, twice
from domain.dice.errors import DiceError
from domain.dice.evaluation import Draw, evaluate, sides_needed
from domain.dice.notation import parse
from domain.dice.physical import TypedDice, parse_faces
from domain.dice.record import Die, Flat, Roll, Source
from domain.dice.stream import (
    SCHEME,
    SCREEN,
    TABLE,
    RollBytes,
    Stream,
    canon,
    code_matches,
    commit_code,
    commitment,
    contribution,
    fork_key,
    link,
    mix,
    receipt,
    session_key,
    veil,
)
from domain.dice.templates import fill
from domain.dice.tree import Expression, show

__all__ = [
    "SCHEME",
    "SCREEN",
    "TABLE",
    "DiceError",
    "Die",
    "Draw",
    "Expression",
    "Flat",
    "Roll",
    "RollBytes",
    "Source",
    "Stream",
    "TypedDice",
    "canon",
    "code_matches",
    "commit_code",
    "commitment",
    "contribution",
    "double_dice",
    "evaluate",
    "fill",
    "fork_key",
    "link",
    "maximise",
    "mix",
    "multiply",
    "parse",
    "parse_faces",
    "receipt",
    "session_key",
    "show",
    "sides_needed",
    "twice",
    "veil",
]
