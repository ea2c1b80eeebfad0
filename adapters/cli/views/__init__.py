"""What commands print; a view knows no command."""
