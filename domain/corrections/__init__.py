"""Corrections of a history: undo, redo, amend, override and second thoughts, each previewed before it is applied.

A preview is exactly what applying it appends. Every later action that could be affected is resolved again on the corrected
campaign with the dice that are on record; what comes out the same gets no new revision, and what is now refused is an
orphan, which the GM undoes too or keeps as a ruling.
"""

from domain.adjustments import Adjustment
from domain.corrections.changes import (
    Amend,
    Change,
    Consequence,
    Correction,
    CorrectionOptions,
    Effect,
    Orphans,
    Proposal,
    Redo,
    SheetChange,
    ThinkAgain,
    Undo,
)
from domain.corrections.sheet_changes import sheet_changes

__all__ = [
    "Adjustment",
    "Amend",
    "Change",
    "Consequence",
    "Correction",
    "CorrectionOptions",
    "Effect",
    "Orphans",
    "Proposal",
    "Redo",
    "SheetChange",
    "ThinkAgain",
    "Undo",
    "sheet_changes",
]
