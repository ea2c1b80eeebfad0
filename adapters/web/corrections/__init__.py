"""Corrections on the cards of the table: forms, previews, and players' requests to the GM."""
