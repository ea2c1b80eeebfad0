"""What every request passes before a page is looked for."""
