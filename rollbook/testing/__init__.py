"""Testing a ruleset: scenes in memory (``scenarios``), and the suite of ``conformance``, which needs pytest and hypothesis."""
