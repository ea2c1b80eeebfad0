"""A vault of Markdown notes for Obsidian: sessions, scenes, places and characters, linked with each other."""
