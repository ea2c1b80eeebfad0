#!/bin/sh
# A base backup of PostgreSQL, as its own user. The log is archived to $BACKUP/log by archive_command (docs/hosting.md).
# More words are options of pg_basebackup.
set -eu
BACKUP=${BACKUP:-/backup} KEEP_DAYS=${KEEP_DAYS:-14}
PATH=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1):$PATH
umask 077
new=$BACKUP/base-$(date -u +%Y%m%dT%H%M%SZ)
trap 'rm -rf "$new.unfinished"' EXIT
pg_basebackup -D "$new.unfinished" -X stream -c fast "$@"
pg_verifybackup --quiet "$new.unfinished"
mv "$new.unfinished" "$new"

# Older ones go, and then the log from before the oldest that is left.
find "$BACKUP" -maxdepth 1 -type d -name 'base-*Z' ! -path "$new" -mtime "+$KEEP_DAYS" -exec rm -rf {} +
oldest=$(ls -d "$BACKUP"/base-*Z | head -n 1)
pg_archivecleanup "$BACKUP/log" "$(sed -n 's/^START WAL LOCATION: .* (file \([0-9A-F]*\))$/\1/p' "$oldest/backup_label")"

# For the textfile collector of Prometheus' node exporter.
umask 022
echo "rollbook_backup_last_success_timestamp_seconds $(date +%s)" > "$BACKUP/backup.prom.new"
mv "$BACKUP/backup.prom.new" "$BACKUP/backup.prom"
