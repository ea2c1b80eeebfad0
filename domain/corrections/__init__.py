"""Corrections of a history: undo, redo, amend, override and second thoughts, each previewed before it is applied.

A preview is exactly what applying it appends. Every later action that could be affected is resolved again on the corrected
campaign with the dice that are on record; what comes out the same gets no new revision, and what is now refused is an
orphan, which the GM undoes too or keeps as a ruling.
"""
