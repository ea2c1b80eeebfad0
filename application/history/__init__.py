"""The history of a campaign while it is open: read from the store, checked, carried on, written."""
