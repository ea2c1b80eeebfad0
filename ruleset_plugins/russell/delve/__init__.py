"""The delve: exploring, light and fire, rest and weariness, what is carried and used up, meetings and chases."""
