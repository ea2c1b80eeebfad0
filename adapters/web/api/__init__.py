"""The HTTP API: the same table in JSON, for programs that come with a token of a seat."""
