"""Dice and luck: what was rolled, how it compares with fair dice, and nothing about anybody's honesty.

Dice of the committed stream are proven by arithmetic, so they get a band of luck and never a suspicion. What is asked of
people's own choices (dice that they typed in, rolls that they undid) is asked with e-values, which may be looked at
after every session: honest dice reach 20 in at most one record of twenty, however often somebody looks.
"""

from projections.luck.bands import Hits, Luck, party_share
from projections.luck.choices import Selectivity, selectivity
from projections.luck.e_values import directional, shape
from projections.luck.report import BY, FaceSeries, Report, RollGroup, report
from projections.luck.throws import DiscardedThrow, Origin, Throw, Throws, gather

__all__ = [
    "BY",
    "DiscardedThrow",
    "FaceSeries",
    "Hits",
    "Luck",
    "Origin",
    "Report",
    "RollGroup",
    "Selectivity",
    "Throw",
    "Throws",
    "directional",
    "gather",
    "party_share",
    "report",
    "selectivity",
    "shape",
    "wording",
]
