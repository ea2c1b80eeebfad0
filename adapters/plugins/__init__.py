"""Plug-ins as they are installed: entry points, rulesets, fingerprints of their files."""
