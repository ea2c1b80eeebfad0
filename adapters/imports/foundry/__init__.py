"""Campaigns that were played on Foundry Virtual Tabletop, versions 9 to 13, whatever the game system."""
