"""Dice: what people type, how it is rolled, what is recorded, and the stream that proves it.

Exact odds are asked for by name, ``from domain.dice.odds import distribution``: most rolls need none, and loading them
takes longer than all the rest.
"""

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
    code_matches,
    commitment,
    contribution,
    fork_key,
    mix,
    proof_code,
    session_identity,
    session_key,
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
    "code_matches",
    "commitment",
    "contribution",
    "evaluate",
    "fill",
    "fork_key",
    "mix",
    "parse",
    "parse_faces",
    "proof_code",
    "session_identity",
    "session_key",
    "show",
    "sides_needed",
]
