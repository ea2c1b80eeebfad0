"""Campaigns in a PostgreSQL database that any number of computers write to at once. psycopg is imported only from here on."""

from rollbook.adapters.storage.event_store.postgres.store import PostgresEventStore

__all__ = ["PostgresEventStore"]
