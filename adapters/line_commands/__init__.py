"""The commands of a line that are no verbs: questions, corrections, exports. They answer in words, at a terminal or anywhere."""
