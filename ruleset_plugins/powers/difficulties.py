"""The ladder of sample DCs (R2.7). There is no step at 35, and any number is a DC as good as these (Q2.13)."""

from __future__ import annotations

import attrs

from ruleset_plugins import load


@attrs.frozen(kw_only=True)
class Difficulty:
    """A step of the ladder: its name, its DC and whom it is hard for."""

    key: str
    dc: int
    told: str


LADDER = {step.key: step.dc for step in load(__package__, "difficulties.json", Difficulty)}
