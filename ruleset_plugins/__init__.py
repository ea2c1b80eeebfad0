"""The games that come with rollbook, each a package of its own that is found through its entry point."""
