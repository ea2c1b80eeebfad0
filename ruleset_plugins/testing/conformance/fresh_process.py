"""Plays given campaigns in a fresh process (``python -m``) and prints how every action came out."""

import importlib
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from adapters.storage.codec import CODEC
from domain.entries import Intent
from domain.ruleset import Ruleset
from ruleset_plugins.testing.conformance.moves import Move, MoveResult
from ruleset_plugins.testing.conformance.random_play import fixed_playthrough
from ruleset_plugins.testing.conformance.side_effects import watched


def playthroughs(ruleset: Ruleset, opening: Sequence[Move], *, many: int, actions: int) -> Iterator[list[str]]:
    """So many playthroughs, each a line for every action: what was done, and what came of it."""
    for number in range(many):
        played = fixed_playthrough(ruleset, opening, number, actions)
        yield [f"{playthrough.last}\n      {_came_of_it(outcome)}" for playthrough, outcome in played]


def _came_of_it(outcome: MoveResult) -> str:
    return outcome.refusal or " ".join(CODEC.encode(event).decode() for event in outcome.events)


def packed(opening: Sequence[Move]) -> list[dict[str, object]]:
    """Opening moves as JSON can hold them."""
    return [
        {
            "verb": deed.intent.verb,
            "params": dict(deed.intent.params),
            "seat": deed.seat,
            "seed": deed.seed,
            "typed": deed.typed,
            "secret": deed.secret,
        }
        for deed in opening
    ]


def unpacked(moves: Sequence[dict[str, Any]]) -> list[Move]:
    """Opening moves out of JSON."""
    return [
        Move(
            intent=Intent(verb=move["verb"], params={name: _scalar(value) for name, value in move["params"].items()}),
            seat=move["seat"],
            seed=move["seed"],
            typed=None if move["typed"] is None else tuple(move["typed"]),
            secret=move["secret"],
        )
        for move in moves
    ]


def _scalar(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def main() -> None:
    """Play what standard input asks for."""
    asked = json.load(sys.stdin)
    module, _, name = asked["place"].partition(":")
    ruleset = getattr(importlib.import_module(module), name)
    opening = unpacked(asked["opening"])
    with watched() as reached:
        played = list(playthroughs(ruleset, opening, many=asked["many"], actions=asked["actions"]))
    sys.stdout.write(json.dumps({"playthroughs": played, "asked": sorted(set(reached))}))


if __name__ == "__main__":
    main()
