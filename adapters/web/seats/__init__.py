"""Seats of browsers: links, the cookies that they become, and the identities of requests."""
