#!/bin/sh
# A drill: the newest base backup with all of the archived log is restored beside the server, and every campaign audited.
# As PostgreSQL's user. Nothing of the real database is touched.
set -eu
BACKUP=${BACKUP:-/backup} DATABASE=${DATABASE:-rollbook} ROLLBOOK=${ROLLBOOK:-/opt/rollbook/bin/rollbook}
PATH=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1):$PATH
umask 077
newest=$(ls -d "$BACKUP"/base-*Z | tail -n 1)
scratch=$(mktemp -d)
trap 'pg_ctl -D "$scratch/data" -m immediate -s stop >/dev/null 2>&1 || true; rm -rf "$scratch"' EXIT
cp -R "$newest" "$scratch/data"
echo 'local all all trust' > "$scratch/hba"
touch "$scratch/data/postgresql.conf" "$scratch/data/recovery.signal"
cat >> "$scratch/data/postgresql.auto.conf" <<CONF
hba_file = '$scratch/hba'
listen_addresses = ''
unix_socket_directories = '$scratch'
port = 5432
ssl = off
archive_mode = off
hot_standby = off
synchronous_standby_names = ''
restore_command = 'cp $BACKUP/log/%f %p'
CONF
pg_ctl -D "$scratch/data" -l "$scratch/log" -s -w -t 3600 start >/dev/null || { tail -n 20 "$scratch/log" >&2; exit 1; }

export HOME="$scratch" ROLLBOOK_CACHE="$scratch/cache" ROLLBOOK_SEEDS="$scratch/seeds" XDG_STATE_HOME="$scratch/state"
"$ROLLBOOK" --store "postgresql://rollbook@/$DATABASE?host=$scratch" store verify

umask 022
echo "rollbook_drill_last_success_timestamp_seconds $(date +%s)" > "$BACKUP/drill.prom.new"
mv "$BACKUP/drill.prom.new" "$BACKUP/drill.prom"
