"""Spreadsheets and logs of other programs as tables: one row for each thing that happened."""
