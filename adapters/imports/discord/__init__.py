"""Importer of a Discord channel in which the Avrae bot rolls."""
