"""Pages: routes, the context of their handlers, and templates."""
