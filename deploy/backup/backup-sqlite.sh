#!/bin/sh
# A backup of a store in a file, while others play. It holds seeds of dice: keep it to yourself.
set -eu
BACKUP=${BACKUP:-/backup} KEEP_DAYS=${KEEP_DAYS:-14} ROLLBOOK=${ROLLBOOK:-/opt/rollbook/bin/rollbook}
umask 077
new=$BACKUP/rollbook-$(date -u +%Y%m%dT%H%M%SZ).db
"$ROLLBOOK" backup "$new"
find "$BACKUP" -maxdepth 1 -type f -name 'rollbook-*Z.db' ! -path "$new" -mtime "+$KEEP_DAYS" -exec rm -f {} +

# For the textfile collector of Prometheus' node exporter.
umask 022
echo "rollbook_backup_last_success_timestamp_seconds $(date +%s)" > "$BACKUP/backup.prom.new"
mv "$BACKUP/backup.prom.new" "$BACKUP/backup.prom"
