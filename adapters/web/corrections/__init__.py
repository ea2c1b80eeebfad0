"""Corrections on the cards of the table: forms, previews, and what players ask the GM for."""
