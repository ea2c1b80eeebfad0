"""A history: its chain, its entries' index, its numbering, and who may see what."""
