"""Ports that the use cases need: seeds, links, rules in force, clock, address of a store."""
