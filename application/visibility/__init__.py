"""A campaign as a seat may see it: its entries, its questions, its previews, its editions. What may be seen at all is ruled in ``domain.history.secrecy``."""
