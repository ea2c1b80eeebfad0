"""Where campaigns are kept: in memory for tests and trials, in one SQLite file for real play."""

from rollbook.adapters.storage.event_store.memory import MemoryEventStore
from rollbook.adapters.storage.event_store.sqlite import SQLiteEventStore

__all__ = ["MemoryEventStore", "SQLiteEventStore"]
