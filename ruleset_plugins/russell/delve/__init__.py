"""The delve: exploring, light and fire, rest and weariness, loads and supplies, meetings and chases."""
