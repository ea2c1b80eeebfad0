"""The body: hit points, conditions, harm and healing, and the effects of time on them."""
