"""Importing sessions recorded by the Avrae bot."""
