# Sourced by the other scripts: a virtual environment in .venv with this package and its extras.
#   . scripts/environment.sh [EXTRA...]
# Does nothing when it is there and pyproject.toml is the same as when it was made.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

find_python() {
    for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    echo "Python 3.11 or newer is needed, and was not found." >&2
    exit 1
}

install() {
    # uv installs in seconds what takes pip minutes; where it does not work, pip does.
    echo "Installing into .venv (once) ..."
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check uv &&
        UV_SYSTEM_CERTS=1 "$venv/bin/python" -m uv pip install --quiet --compile-bytecode \
            --python "$venv/bin/python" --editable "$1" ||
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --editable "$1"
}

venv=$PWD/.venv
extras=$(printf '%s\n' "$@" | sort -u | paste -sd, -)
stamp=$venv/installed-$(cksum <pyproject.toml | cut -d' ' -f1)-${extras//,/-}
[ -x "$venv/bin/python" ] || "$(find_python)" -m venv "$venv"
if [ ! -e "$stamp" ]; then
    install ".${extras:+[$extras]}"
    touch "$stamp"
fi
