"""The commands, a module for each kind of question or correction."""
