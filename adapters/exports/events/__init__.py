"""Events as other programs read them: CloudEvents, and the JSON Schema of each."""
