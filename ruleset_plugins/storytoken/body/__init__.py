"""The body: hit points, conditions, harm and healing, and what time does to them."""
