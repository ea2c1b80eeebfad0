"""The GM's room: pages for the GM's own views and decisions."""
