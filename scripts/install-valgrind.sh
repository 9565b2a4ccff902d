#!/usr/bin/env bash
# The action's step that gets Valgrind from the image's package manager, for the number of CPU instructions. Without it,
# the report lacks only that number: nothing here fails.
set -uo pipefail

[[ "$(uname -s)" == Linux && -z "${LOADTEST_VALGRIND:-}" ]] || exit 0
command -v valgrind >/dev/null && exit 0

skip() {
  echo "Valgrind is not installed ($1), so CPU instructions are not counted"
  exit 0
}

[[ "${RUNNER_ENVIRONMENT:-}" != self-hosted ]] || skip "this machine is your own"
command -v apt-get >/dev/null || skip "there is no apt-get"
root=()
if [[ "$(id -u)" != 0 ]]; then
  sudo -n true 2>/dev/null || skip "sudo asks for a password"
  root=(sudo -n)
fi
get=(apt-get --quiet --quiet --yes --no-install-recommends --option DPkg::Lock::Timeout=5 install valgrind)
quietly() { "${root[@]}" "$@" </dev/null >/dev/null 2>&1; }

# Only the download has a limit: an installation that is interrupted would break the package manager for later steps.
quietly timeout --kill-after 2 20 "${get[@]}" --download-only
case $? in
  0) ;;
  124 | 137) skip "its download took more than 20 s" ;;
  *) skip "apt-get cannot download it" ;;
esac
quietly "${get[@]}" || skip "apt-get cannot install it"
echo "Valgrind was installed in $SECONDS s, to count CPU instructions"
