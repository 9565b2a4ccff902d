#!/usr/bin/env bash
# The hand-rolled way, for comparison: the same grid with plain shell and `k6 run`.
# Expects: K6, PGBIN, VENV, APP, SQL (folders or programs), WORKERS and PATHS (words), SECONDS_PER_CELL.
set -euo pipefail

work=$(mktemp -d)
chmod 711 "$work"
as_postgres=()
if [ "$(id -u)" = 0 ]; then as_postgres=(setpriv --reuid=nobody --regid=nogroup --clear-groups); fi
install -d -m 700 "$work/data"
if [ "$(id -u)" = 0 ]; then chown nobody "$work/data"; fi
port=$((20000 + RANDOM % 9000)) # below the ports that connections take

cleanup() {
  "${as_postgres[@]}" "$PGBIN/pg_ctl" -D "$work/data" -m immediate stop >/dev/null 2>&1 || echo "postgres was not running"
  rm -rf "$work"
}
trap cleanup EXIT

# pg_ctl and initdb must not find themselves in a folder that the other user cannot read.
cd "$work"
"${as_postgres[@]}" "$PGBIN/initdb" -D "$work/data" -U postgres --auth=trust --no-sync >/dev/null
"${as_postgres[@]}" "$PGBIN/pg_ctl" -D "$work/data" -w -l "$work/data/log" \
  -o "-p $port -k '' -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200" start >/dev/null
url="postgresql://postgres@127.0.0.1:$port"
psql -q "$url/postgres" -c "CREATE DATABASE seeded"
for file in "$SQL"/0*.sql; do psql -q -v ON_ERROR_STOP=1 "$url/seeded" -f "$file" >/dev/null; done

cat >"$work/load.js" <<'JS'
import http from "k6/http";
export const options = { vus: 8, duration: __ENV.DURATION };
export default function () { http.get(__ENV.URL); }
JS

for workers in $WORKERS; do
  for path in $PATHS; do
    psql -q "$url/postgres" -c "CREATE DATABASE cell TEMPLATE seeded"
    app_port=$((20000 + RANDOM % 9000)) # below the ports that connections take
    (cd "$APP" && DATABASE_URL="$url/cell" exec setsid "$VENV/bin/uvicorn" app.asgi:app --host 127.0.0.1 \
      --port "$app_port" --workers "$workers" --no-access-log >"$work/app.log" 2>&1) &
    app=$!
    for _ in {1..300}; do
      curl -sf "http://127.0.0.1:$app_port/health" >/dev/null && break
      kill -0 "$app" # the server has ended: so do we
      sleep 0.1
    done
    for duration in 1s "${SECONDS_PER_CELL}s"; do
      "$K6" run --quiet --no-usage-report -e URL="http://127.0.0.1:$app_port$path" -e DURATION="$duration" \
        --summary-export="$work/summary.json" "$work/load.js" >/dev/null
    done
    kill -TERM -- "-$app"
    wait "$app" || true # uvicorn's status after TERM is not the matter here
    psql -q "$url/postgres" -c "DROP DATABASE cell WITH (FORCE)"
  done
done
