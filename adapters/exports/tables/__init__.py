"""A campaign as tables: for spreadsheets, and as a database."""
