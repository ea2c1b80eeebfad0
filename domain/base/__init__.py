"""Foundations of all other packages: identifiers, errors, records, letters."""
