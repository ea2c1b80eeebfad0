"""Importer of Fantasy Grounds' log of its chat."""
