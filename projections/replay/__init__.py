"""Replay of a campaign: one step for every entry, on two courses.

*As it was then* has the mistakes, and each correction when it came; *as corrected* is today's effective history. It is
made once, from the history that the reader may see, for a terminal or for a page that computes nothing by itself.
"""

from rollbook.projections.replay.moments import Moments, steps_of
from rollbook.projections.replay.steps import Course, Difference, Mark, MarkKind, Step, both_sides, differences

__all__ = ["Course", "Difference", "Mark", "MarkKind", "Moments", "Step", "both_sides", "differences", "steps_of"]
