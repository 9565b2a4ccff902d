#!/usr/bin/env bash
# First step of action.yml: reports everything that the runner lacks at once, if k6 must be fetched, the place of
# earlier jobs' seeded data, and a number that tells the jobs of a matrix apart. In Bash, because a fit Node may be
# missing.
set -euo pipefail

# A report without a name of its own is called by what it measures, so that two of them in one run (two calls of the
# reusable workflow, say, one for each app) do not replace each other's comment, artifacts and history. Before anything
# can fail: an earlier run's comment is corrected by this name, too.
name_of_report() {
  local LC_ALL=C id="${REPORT_ID:-default}" told="" part
  # A job that only measures may be one of a matrix of apps: its artifact belongs to the report of all of them.
  if [[ "$id" == "default" && "${COMMAND:-}" != "measure" ]]; then
    for part in "${NAME:-}" "${CONFIG:-}" "${WORKING_DIRECTORY:-}" "${APP:-}"; do
      if [[ "$part" != "" && "$part" != "." && "$part" != ".github/loadtest.yml" ]]; then told+="$part"$'\n'; fi
    done
  fi
  if [[ -n "$told" ]]; then
    local sum words
    sum="$(cksum <<<"$told")"
    shopt -s extglob
    words="${told//+([^A-Za-z0-9])/-}"
    words="${words#-}"
    words="${words%-}"
    if [[ -z "$words" ]] || ((${#words} > 40)); then words="${words:0:29}-${sum%% *}"; fi
    id+=".${words#-}"
  fi
  # Digits, because GitHub hands no output to another job that holds a secret's text, and the name may.
  local number
  number="$(cksum <<<"$id")"
  printf 'report-number=%s\n' "${number%% *}" >>"$GITHUB_OUTPUT"
  # Any other is for the program to refuse.
  if [[ "$id" =~ ^[A-Za-z0-9_.\ -]{1,80}$ ]]; then printf 'report-id=%s\n' "$id" >>"$GITHUB_OUTPUT"; fi
}
name_of_report

missing=()

if [[ "${RUNNER_OS:-}" == "Windows" ]]; then
  missing+=("Linux or macOS: uvicorn's workers, Postgres and process groups do not work alike on Windows")
fi

# `|| true`: a missing program gives no version, which is an answer too, not an error of this script.
node_major="$(node --version 2>/dev/null | sed -n 's/^v\([0-9]*\)\..*/\1/p' || true)"
if [[ -z "$node_major" ]]; then
  missing+=("Node 20 or newer: there is none on PATH; add actions/setup-node before this step")
elif ((node_major < 20)); then
  missing+=("Node 20 or newer: this is $node_major; add actions/setup-node before this step")
else
  # Written even when something else is missing: an earlier run's comment can be corrected then.
  printf 'node=yes\n' >>"$GITHUB_OUTPUT"
  # Before anything of the pull request runs: by then another "node" may be first on PATH. Itself, not what chooses it: a
  # version manager's asks files that the pull request may write.
  node="$(command -v node)"
  itself="$(node -p process.execPath 2>/dev/null || true)"
  if [[ "$itself" == /* && -x "$itself" ]]; then node="$itself"; fi
  printf 'node-path=%s\n' "$node" >>"$GITHUB_OUTPUT"
  # Likewise what that Node and the event are, and where its connections go. The steps with the token ask the same once
  # more, with their own text: a script in a file could be changed. Nobody but the system's owner can change programs in
  # these folders.
  given="$(
    PATH=/usr/bin:/bin:/run/current-system/sw/bin LC_ALL=C
    sums() { if command -v sha256sum >/dev/null; then sha256sum -- "$@"; else shasum -a 256 -- "$@"; fi; }
    sums "$node" "${GITHUB_EVENT_PATH:-/dev/null}" ${NODE_EXTRA_CA_CERTS:+"$NODE_EXTRA_CA_CERTS"} 2>/dev/null || true
    env | sort | grep -iE '^(NODE_(EXTRA|TLS|USE)|OPENSSL_|SSL_|GCONV_|LOCPATH|GLIBC_|[a-z]+_PROXY=)' | sums || true
  )"
  printf 'given<<given-of-the-load-test\n%s\ngiven-of-the-load-test\n' "$given" >>"$GITHUB_OUTPUT"
  # All actions of the job lie there. Some end with it and have a token, as checkout, and what is measured is the same user.
  own="${GITHUB_ACTION_PATH:-}"
  actions="${own%%/_actions/*}/_actions"
  if [[ ! -d "$actions" ]]; then actions="${RUNNER_WORKSPACE:-}/../_actions"; fi
  of_actions="$(
    PATH=/usr/bin:/bin:/run/current-system/sw/bin LC_ALL=C
    if command -v sha256sum >/dev/null; then sum=(sha256sum); else sum=(shasum -a 256); fi
    cd -- "$actions" 2>/dev/null || exit 0
    kept="./${own#"$actions/"}/*.pyc" # what Python keeps of the probe
    { find . ! -type d ! -type f | sort; find . -type f ! -path "$kept" -print0 | sort -z | xargs -0 "${sum[@]}" --; } | "${sum[@]}" || true
  )"
  printf 'actions=%s\nof-actions=%s\n' "$actions" "$of_actions" >>"$GITHUB_OUTPUT"
fi

# The action does not declare these; GitHub hands them over all the same.
undeclared_names="${UNDECLARED:-}"
read -ra undeclared <<<"${undeclared_names//$'\n'/ }"
if ((${#undeclared[@]} > 0)); then
  printf '::error title=Not inputs of the load test::%s:' "${undeclared[*]}"
  printf " not action inputs; set them in .github/loadtest.yml, or in the \`settings\` input. docs/configuration.md describes each.\n"
  exit 2
fi

# True when the `settings` input may set this. Reading it takes more than Bash: the program itself asks for a value that
# is wrongly taken for set.
settings_say() { [[ "${SETTINGS:-}" == *"$1"* ]]; }

# Existing files among those of `config`, one a line.
configs=()
while IFS= read -r file; do
  file="${file#"${file%%[![:space:]]*}"}"
  file="${file%"${file##*[![:space:]]}"}"
  if [[ -f "$file" ]]; then configs+=("$file"); fi
done <<<"${CONFIG:-.github/loadtest.yml}"

# Only measuring takes Python and a database, and not for an app that already runs.
if [[ "$COMMAND" == "run" || "$COMMAND" == "measure" ]] && ! settings_say "base-url:"; then
  # The program looks for a better one itself.
  if ! settings_say "python:" && ! command -v python3 >/dev/null; then
    missing+=("Python: there is no python3; add actions/setup-python before this step")
  fi
  # A configuration file may say that there is no database; reading it takes more than Bash.
  if [[ "${HAS_DATABASE_URL:-}" == "false" && ${#configs[@]} == 0 ]] && ! settings_say "database" &&
    ! command -v npm >/dev/null && ! command -v postgres >/dev/null && [[ ! -d /usr/lib/postgresql ]]; then
    missing+=("PostgreSQL, or npm to download it with: install one, or give a \`database-url\`")
  fi
fi

if ((${#missing[@]} > 0)); then
  printf '::error title=This runner cannot run the load test::It lacks:'
  printf ' %s.' "${missing[@]}"
  printf '\n'
  exit 3
fi

# Only measuring takes k6. A runner that brings its own keeps it, from 1.0 on (TypeScript, our options). The program
# refuses one that is named and of another version. Without any on the PATH there is no version, and that is no failure.
k6="needless"
if [[ "$COMMAND" == "run" || "$COMMAND" == "measure" ]]; then
  k6_major="$(k6 version 2>/dev/null | sed -n 's/.*v\([0-9]*\)\..*/\1/p' | head -n 1 || true)"
  k6="wanted"
  if [[ -n "${LOADTEST_K6:-}" || "$k6_major" =~ ^[12]$ ]]; then k6="present"; fi
fi
# grafana/setup-k6-action knows these systems, and GitHub's own releases only.
k6_setup="no"
if [[ "$k6" == "wanted" && -z "${LOADTEST_K6_RELEASES:-}" && "${RUNNER_OS:-}" =~ ^(Linux|macOS)$ &&
  "${RUNNER_ARCH:-}" =~ ^(X64|ARM64)$ ]]; then
  k6_setup="yes"
fi
# Path of k6, unless on PATH.
k6_path=""
if [[ "$k6" == "present" ]]; then k6_path="${LOADTEST_K6:-}"; fi

# GitHub's own actions for artifacts refuse every other server, although Gitea and Forgejo take artifacts of version 4.
# Enterprise servers do not, and no other version is still maintained.
artifacts="yes"
server="${GITHUB_SERVER_URL:-https://github.com}"
place="the job summary"
if [[ "${GITEA_ACTIONS:-}" == "true" || "${FORGEJO_ACTIONS:-}" == "true" ]]; then
  place="the log" # Gitea shows no job summary before 1.27
  artifacts="no"
elif [[ ! "$server" =~ ^https://(github\.com|[A-Za-z0-9-]+\.ghe\.com)/?$ ]]; then
  artifacts="no"
fi
if [[ "$artifacts" == "no" ]]; then
  printf "::notice title=No artifacts here::GitHub's action for artifacts does not work on this server, so none is uploaded."
  printf ' The report is in %s and in the results folder. The reusable workflows need artifacts; use the' "$place"
  printf ' composite action.\n'
fi

# A name for the artifact of this job of a matrix: the same in every attempt, and not taken from `strategy`, which is
# empty under act, as `matrix` is in composite actions. There the inputs tell the jobs apart. The plan tells apart two
# calls of the reusable workflow, whose jobs have the same names.
job="$MATRIX"$'\n'"$WORKERS"$'\n'"$ENDPOINTS"$'\n'"${CONFIG:-}"$'\n'"${NAME:-}"$'\n'"${SETTINGS:-}"$'\n'"${PLAN:-}"
job_number="$(cksum <<<"$job")"
job_number="${job_number%% *}"

# Under this name GitHub keeps the result of seeding. The program itself checks far more before it uses any of it. The
# week is in it because entries are used for seven days, and GitHub never replaces one. A link is not followed: behind it
# may be a file of the machine that never ends.
seed_key=""
seed="${SEED:-}"
content="${SETTINGS:-}"
if ((${#configs[@]} > 0)) || settings_say "seed:"; then
  # They may name the files. Reading them takes more than Bash, so any file of the repository counts.
  for file in "${configs[@]+"${configs[@]}"}"; do
    if [[ ! -L "$file" ]]; then content+=$'\n'"$(cksum <"$file")"; fi
  done
  if [[ -z "$seed" ]]; then seed="$(git ls-files -- '*.sql' 2>/dev/null || true)"; fi
fi
if [[ "$k6" != "needless" && "${HAS_DATABASE_URL:-}" == "false" && -n "$seed" ]] && ! settings_say "database: none"; then
  while IFS= read -r file; do
    if [[ -f "$file" && ! -L "$file" ]]; then content+=$'\n'"$(cksum <"$file")"; fi
  done <<<"$seed"
  content="$(cksum <<<"$content")"
  seed_key="loadtest-seed-${RUNNER_OS:-}-${RUNNER_ARCH:-}-$(date -u +%G-%V)-${content%% *}"
fi
seed_folder="${XDG_CACHE_HOME:-$HOME/.cache}/fastapi-loadtest/seeds"

# Environments are kept by what they are made from. The program looks closer: each has a name made of its own files.
python_key=""
if [[ "$k6" != "needless" ]]; then
  content="${SETTINGS:-}"$'\n'"$(python3 --version 2>/dev/null || true)"
  while IFS= read -r file; do
    if [[ -f "$file" && ! -L "$file" ]]; then content+=$'\n'"$(cksum <"$file")"; fi
  done < <(git ls-files -- '*.lock' '*requirements*.txt' '*pyproject.toml' '*.python-version' 2>/dev/null || true)
  content="$(cksum <<<"$content")"
  python_key="loadtest-python-${RUNNER_OS:-}-${RUNNER_ARCH:-}-${content%% *}"
fi
python_folder="${XDG_CACHE_HOME:-$HOME/.cache}/fastapi-loadtest/python"

# The process that measures says this word when it ends. Whoever kills it does not know it.
end_mark="$(PATH=/usr/bin:/bin:/run/current-system/sw/bin && od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
printf '::add-mask::%s\n' "$end_mark"
printf 'end-mark=%s\n' "$end_mark" >>"$GITHUB_OUTPUT"

{
  printf 'python-key=%s\npython-folder=%s\n' "$python_key" "$python_folder"
  printf 'seed-key=%s\nseed-folder=%s\n' "$seed_key" "$seed_folder"
  printf 'k6=%s\nk6-setup=%s\nk6-path=%s\njob-number=%s\nartifacts=%s\n' "$k6" "$k6_setup" "$k6_path" "$job_number" "$artifacts"
} >>"$GITHUB_OUTPUT"
