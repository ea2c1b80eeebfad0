"""The use cases of a campaign, and the ports that they ask of the outside: it knows domain and projections, and no adapter."""
