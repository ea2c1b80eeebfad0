"""What is kept in files: the event store, the codec and the read model."""
