"""Everything that touches the world: files, the command line, plug-ins, other programs' records."""
