"""Plays given campaigns in a fresh process (``python -m``) and prints how every action came out."""

import importlib
import sys
from collections.abc import Iterator, Sequence

import attrs
import msgspec

from rollbook.application.encoding.codec import CODEC
from rollbook.domain.base.records import Record
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.testing.conformance.moves import Move, MoveResult
from rollbook.testing.conformance.random_play import fixed_playthrough
from rollbook.testing.conformance.side_effects import watched


@attrs.frozen
class Order(Record):
    """What is to be played: the ruleset at ``place`` (module:NAME), so ``many`` times, with so many ``actions`` each."""

    place: str
    opening: tuple[Move, ...]
    many: int
    actions: int


@attrs.frozen
class ProcessReport(Record):
    """The playthroughs, each a line for every action, and whatever rules ``asked`` for besides the table."""

    playthroughs: list[list[str]]
    asked: list[str]


def playthroughs(ruleset: Ruleset, opening: Sequence[Move], *, many: int, actions: int) -> Iterator[list[str]]:
    """So many playthroughs, each a line for every action: what was done, and what came of it."""
    for number in range(many):
        played = fixed_playthrough(ruleset, opening, number, actions)
        yield [f"{playthrough.last}\n      {_came_of_it(outcome)}" for playthrough, outcome in played]


def _came_of_it(outcome: MoveResult) -> str:
    return outcome.refusal or " ".join(CODEC.encode(event).decode() for event in outcome.events)


def main() -> None:
    """Play what standard input asks for."""
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    module, _, name = order.place.partition(":")
    ruleset = getattr(importlib.import_module(module), name)
    with watched() as reached:
        played = list(playthroughs(ruleset, order.opening, many=order.many, actions=order.actions))
    sys.stdout.buffer.write(msgspec.json.encode(ProcessReport(played, sorted(set(reached)))))


if __name__ == "__main__":
    main()
