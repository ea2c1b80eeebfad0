"""A campaign as a seat may see it: its entries, its questions, its previews, its editions."""
