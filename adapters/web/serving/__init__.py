"""The server: the application, its connections, error pages, static files and metrics."""
