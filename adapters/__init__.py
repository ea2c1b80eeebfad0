"""Adapters to the outside world: files, the command line, plug-ins, other programs' records."""
