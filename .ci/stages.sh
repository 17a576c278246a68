# What `.ci/run` and `.ci/full` have in common. To be sourced from the root of the project.

export CI=true npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false
exec </dev/null

work=$(mktemp -d)
# Vitest writes down here which tests have failed: `test/support/FailedTests.ts`.
export FAILED_TESTS=$work/failed-tests
trap 'jobs -p | xargs -r kill 2>/dev/null || true; rm -rf "$work"' EXIT

heading() { printf '\n== %s (after %s s)\n' "$1" "$SECONDS"; }

# Ends the run: the stage, then its tests that failed, or else its last lines, and how to run it alone.
fail() {
  local name=$1 log=$2
  shift 2
  printf '\n== Failed after %s s: %s\n' "$SECONDS" "$name" >&2
  if [ -s "$FAILED_TESTS" ]; then cat "$FAILED_TESTS" >&2; else
    tail -n 30 "$log" >&2
    printf 'Run just this: %s\n' "$*" >&2
  fi
  exit 1
}

# stage NAME COMMAND…
stage() {
  local name=$1
  shift
  heading "$name"
  "$@" 2>&1 | tee "$work/stage.log" || fail "$name" "$work/stage.log" "$@"
}

# Starts a stage beside the next ones; `join` waits for it, and shows what it said.
declare -A besideJob besideCommand
beside() {
  local name=$1
  shift
  "$@" >"$work/$name.log" 2>&1 &
  besideJob[$name]=$!
  besideCommand[$name]=$(printf '%s ' "$@")
}

join() {
  local name=$1
  heading "$name"
  wait "${besideJob[$name]}" || fail "$name" "$work/$name.log" "${besideCommand[$name]}"
  cat "$work/$name.log"
}

# The command must stand alone on a line of a code block in the README, and is run just as it stands there.
readme() {
  awk '/^```/ { code = !code; next } code' README.md | grep -Fx -- "$1" >/dev/null || {
    echo "README.md has no code block with the line: $1" >&2
    exit 1
  }
  stage "README: $1" bash -c "$1"
}

# Installs what the system tests need of Debian's packages.
debianPackages() {
  local missing=() sudo=''
  [ -x /usr/bin/chromium ] || missing+=(chromium)
  [ -x /usr/bin/redis-server ] || missing+=(redis-server)
  [ -d /usr/lib/postgresql ] || missing+=(postgresql)
  [ -x /usr/bin/curl ] || missing+=(curl)
  [ -x /usr/bin/php ] || missing+=(php-cli)
  [ -x /usr/bin/python3 ] || missing+=(python3)
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || sudo=sudo
  heading "Debian packages: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  $sudo apt-get update -qq
  $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >"$work/apt.log" 2>&1 ||
    fail "Debian packages" "$work/apt.log" apt-get install "${missing[@]}"
}
