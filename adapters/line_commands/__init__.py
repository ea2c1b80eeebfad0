"""Line commands other than verbs: questions, corrections and exports, answered in text at a terminal or elsewhere."""
