"""Dice and luck: rolls compared with fair dice, and nothing about a person's honesty.

Dice of the committed stream are proven by arithmetic, so they get a band of luck and never a suspicion. People's own
choices (dice that they typed in, rolls that they undid) are tested with e-values, which may be looked at after every
session: honest dice reach 20 in at most one record of twenty, however often anyone looks.
"""

from rollbook.projections.luck.against_odds import Hits, Luck
from rollbook.projections.luck.report import BY, FaceSeries, Report, RollGroup, report
from rollbook.projections.luck.throws import Origin, Throws, gather

__all__ = ["BY", "FaceSeries", "Hits", "Luck", "Origin", "Report", "RollGroup", "Throws", "gather", "report", "wording"]
