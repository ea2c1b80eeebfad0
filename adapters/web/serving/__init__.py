"""The server: the application, its connections, error pages, static files, counts and logs of what it does."""
