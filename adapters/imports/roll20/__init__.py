"""Importer of Roll20's chat archive."""
