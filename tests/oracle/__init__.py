"""A second, slow implementation of the history, from the documents alone, and random campaigns that compare the two.

It reads what lies in the store, line by line, and does the rest by itself: ``stored`` lines and their hashes, ``numbers`` that
must follow and which revision counts, the ``fold``, the ``stream`` of dice and the ``ledger`` of their places, who sees what
(``sight``), where a timeline comes from (``timelines``) and how it is taken over (``taking_over``), what is left of redacted
words (``redacting``), what an action leaves (``playing``), and what a correction comes to (``correcting``). Only what a verb does
is asked of the rules themselves: to the oracle they are a black box.

``python -m tests.oracle --campaigns 10000`` plays as many random campaigns as are wanted, see ``__main__``.
"""
