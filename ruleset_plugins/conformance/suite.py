"""The suite that the author of a ruleset inherits."""

from __future__ import annotations

from ruleset_plugins.conformance.alone import Alone
from ruleset_plugins.conformance.corrected import Corrected
from ruleset_plugins.conformance.crossed import Crossed
from ruleset_plugins.conformance.declared import Declared
from ruleset_plugins.conformance.played import Played


class RulesetConformance(Declared, Played, Corrected, Crossed, Alone):
    """Everything that every ruleset promises, tried out on one of them.

    ``class TestMyGame(RulesetConformance): ruleset = "mygame"`` is a whole test suite. ``examples`` are moves that make
    sense at the beginning, as a person would type them (``"join Robin --heritage human"``) or as actions: they bring the
    first characters, and random play varies them. ``evenings`` says how many random evenings each law is tried out on;
    the environment variable ``ROLLBOOK_EVENINGS`` says it for one run. ``reach`` is the share of the verbs that random
    play must get to do something.
    """
