"""Comparison of a node's rules with those in force in its store: a node with others shows campaigns and plays none."""

import logging
from collections.abc import Mapping
from functools import cached_property

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.web.logs import note
from rollbook.application.ports.rules_in_force import SHOWN, RulesHere, compare
from rollbook.application.registry import RulesetRegistry


class NodeRules:
    """The rules of a node beside those in force. ``looked`` is called by a watcher, all else from any thread."""

    def __init__(self) -> None:
        self._found: tuple[RulesHere, ...] = ()

    @cached_property
    def _registry(self) -> RulesetRegistry:
        return discover()

    def looked(self, in_force: Mapping[str, str], agreed: set[tuple[str, str]]) -> None:
        """Note the rules in force, add those that are so here to the ``agreed`` ones, and log what has changed."""
        before, known = self._found, self._registry
        found = tuple(compare(in_force, known.keys, lambda ruleset: known.fingerprints.get(ruleset, "")))
        if found == before:
            return
        self._found = found
        agreed.update((each.ruleset, each.own) for each in found if each.own == each.in_force)
        for each in found:
            if each not in before:
                _log(each, was_not=any(one.ruleset == each.ruleset and one.why_not for one in before))

    def why_not(self) -> str:
        """Why the node plays not everything that is installed on it, in a sentence; "" if it does.

        A ruleset that is not installed here does not count: perhaps one computer tried it once.
        """
        return next((each.why_not for each in self._found if each.is_installed and each.why_not), "")

    def are_in_force(self) -> bool:
        """True if the node may play all that is played in the store."""
        return not any(each.why_not for each in self._found)


def _log(rules: RulesHere, *, was_not: bool) -> None:
    game, here, there = rules.ruleset, rules.own[:SHOWN], rules.in_force[:SHOWN]
    if rules.why_not:
        note(logging.WARNING, "rules_not_in_force", rules.why_not, ruleset=game, here=here, in_force=there)
    elif was_not:
        note(logging.INFO, "rules_in_force", "The rules of this node are in force.", ruleset=game, in_force=there)
