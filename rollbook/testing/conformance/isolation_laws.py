"""Laws of isolation: rules use nothing but the table, so they come out the same in every process."""

import os
import subprocess
import sys
from collections.abc import Iterator

import msgspec
import pytest

from rollbook.domain.rules.ruleset import Ruleset
from rollbook.testing.conformance import isolation
from rollbook.testing.conformance.playthrough import MoveResult, Playthrough
from rollbook.testing.conformance.random_suite import RandomPlaySuite, after_each_action, points

OTHER_SEED = "4711"
"""Hash seed of another process, in which hashed things have another order."""


class IsolationLaws(RandomPlaySuite):
    """Laws on what a ruleset asks for, and on its outcomes in another process."""

    @after_each_action
    def test_rules_ask_for_nothing_but_the_table(self, playthrough: Playthrough, outcome: MoveResult) -> None:
        with isolation.watched() as asked:
            playthrough.try_out(outcome.move, outcome.before)
            for who in playthrough.newly_seen():
                self.game.sheet(who, playthrough.state)
        assert not asked, f"Playing this asks for {', '.join(dict.fromkeys(asked))}: rules read nothing but the table."

    def test_play_is_the_same_in_another_process(self) -> None:
        place = self._place()
        if not place:
            pytest.skip(f"{self.game.key} is a value of this process; name its entry point or module:NAME")
        opening = [outcome.move for outcome in self.opening]
        here = list(isolation.playthroughs(self.game, opening, many=3, actions=2 * self.actions))
        there = _in_another_process(isolation.Order(place, tuple(opening), many=3, actions=2 * self.actions))
        assert there.asked == [], f"Played in a fresh process, rules ask for {there.asked}."
        for playthrough, other in zip(here, there.playthroughs, strict=True):
            for number, (mine, yours) in enumerate(zip(playthrough, other, strict=True)):
                before = "\n".join(line.partition("\n")[0] for line in playthrough[:number])
                said = f"In another process this comes out differently:\n{mine}\nis there\n{yours}"
                assert yours == mine, f"{said}\n\nThe playthrough, up to there:\n{before}"

    def test_no_module_imports_what_a_ruleset_has_no_use_for(self) -> None:
        found = [f"{module}: {what}" for module, what in self._imports()]
        assert not found, "A ruleset reads nothing but its table. " + "; ".join(found)

    def _place(self) -> str:
        """The place of the ruleset, as module:NAME; "" if only this process has it."""
        if isinstance(self.ruleset, Ruleset):
            return ""
        return self.ruleset if ":" in self.ruleset else points(self.ruleset)[0].value

    def _imports(self) -> Iterator[tuple[str, str]]:
        place = self._place().partition(":")[0]
        own = {place} if place else {verb.__module__ for verb in self.game.actions}
        for file in dict.fromkeys(file for module in sorted(own) for file in isolation.sources(module)):
            for what in isolation.reached(file.read_text(encoding="utf-8")):
                yield file.name, what


def _in_another_process(order: isolation.Order) -> isolation.ProcessReport:
    seed = OTHER_SEED if os.environ.get("PYTHONHASHSEED") != OTHER_SEED else "1"
    child = subprocess.run(  # noqa: S603 - this very interpreter, on a module of this package
        [sys.executable, "-m", isolation.__name__],
        input=msgspec.json.encode(order),
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        check=False,
    )
    assert child.returncode == 0, f"Played in a fresh process, the ruleset fails:\n{child.stderr.decode()}"
    return msgspec.json.decode(child.stdout, type=isolation.ProcessReport)
