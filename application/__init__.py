"""The use cases of a campaign, and the ports that they need: depends on domain and projections, and on no adapter."""
