#!/usr/bin/env bash
# What somebody new does, on a Debian with Python, pip, venv and git alone: README's two commands from a clone and from the source
# archive, then the wheel by pip, pipx and uv. As a user without rights, whose home folder can only be read.
#   tests/newcomer.sh FOLDER [WORDS FOR PYTEST …]
# FOLDER/root is the system; it is made by debootstrap (as root, with apt's own mirror) if it is not there, so any other may lie there.
# SUITE is Debian's (stable). What pip needs to find packages is taken from this computer: its variables, and the paths in
# NEWCOMER_SEES, which are shown inside, read-only. Transcript on stdout.
set -euo pipefail

if [ "${1:-}" != --inside ]; then
    here=$(cd "$(dirname "$0")/.." && pwd)
    place=$(mkdir -p "${1:?a folder}" && cd "$1" && pwd)
    shift
    root=$place/root
    if [ ! -x "$root/usr/bin/python3" ]; then
        mirror=$(apt-get indextargets --format '$(REPO_URI)' | head -n 1)
        debootstrap --variant=minbase --include=python3,python3-pip,python3-venv,git,ca-certificates \
            "${SUITE:-stable}" "$root" "$mirror" > "$place/debootstrap.txt"
    fi
    id=1000
    chroot "$root" id newcomer > /dev/null 2>&1 || chroot "$root" useradd --create-home newcomer
    id=$(chroot "$root" id -u newcomer)
    rm -rf "$root/srv/newcomer"
    install -d -o "$id" -g "$id" "$root/srv/newcomer"
    branch=$(git -C "$here" branch --show-current)
    git -C "$here" bundle create --quiet "$root/srv/rollbook.bundle" HEAD ${branch:+"$branch"}
    cp "$0" "$root/srv/newcomer.sh"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    for_pip=()
    for name in $(compgen -e | grep -iE '^PIP_|^UV_|_PROXY$|^SSL_CERT_|^REQUESTS_CA_BUNDLE$' || true); do for_pip+=("$name=${!name}"); done
    export root id
    export sees=${NEWCOMER_SEES:-}
    # The mounts are seen in here alone, and are gone when it ends.
    exec unshare --mount --pid --fork --kill-child bash -c '
        set -e
        mount --bind "$root" "$root"
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        for path in $sees; do
            if [ -d "$path" ]; then mkdir -p "$root$path"; else mkdir -p "$(dirname "$root$path")"; touch "$root$path"; fi
            mount --bind "$path" "$root$path"
            mount -o remount,bind,ro "$root$path"
        done
        mount --bind "$root/home/newcomer" "$root/home/newcomer"
        mount -o remount,bind,ro "$root/home/newcomer"
        cd "$root/srv/newcomer"
        exec chroot --userspec="$id:$id" "$root" "$@"
    ' sh /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/newcomer LANG=C.UTF-8 "${for_pip[@]}" \
        XDG_DATA_HOME=/srv/newcomer/data XDG_STATE_HOME=/srv/newcomer/state XDG_CONFIG_HOME=/srv/newcomer/config \
        XDG_CACHE_HOME=/srv/newcomer/cache bash /srv/newcomer.sh --inside "$@"
fi

shift
words=("$@")
cd /srv/newcomer
step() { printf '\n== %s (after %d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }
does() { # COMMAND: shown, then done; of what it prints, the end
    printf '$ %s\n' "$1"
    local code=0
    sh -c "$1" > said.txt 2>&1 || code=$?
    tail -n "${2:-3}" said.txt | cut -c 1-200
    [ $code = 0 ] || { tail -n 60 said.txt; echo "it ended with code $code" >&2; exit 1; }
}
two_commands() { # FOLDER: README's, in it
    local commands
    mapfile -t commands < <(sed -n '/^```sh$/,/^```$/{/^```/d;p};/^```$/q' "$1/README.md")
    [ "${#commands[@]}" = 2 ]
    does "cd $1 && ${commands[0]}"
    does "cd $1 && ${commands[1]} ${words[*]@Q}" 12
}

step "$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release), $(python3 --version), $(id)"
if touch "$HOME/x" 2> /dev/null; then echo "the home folder can be written to" >&2; exit 1; fi

step "a clone"
does "git clone --quiet /srv/rollbook.bundle rollbook"
two_commands rollbook

step "packages"
does "cd rollbook && .venv/bin/python -m build"
does "ls rollbook/dist"
wheel=$(echo rollbook/dist/*.whl)

step "the source archive, unpacked"
does "mkdir unpacked && tar -xzf rollbook/dist/*.tar.gz --strip-components 1 -C unpacked"
two_commands unpacked

step "the wheel, by pip"
does "python3 -m venv plain && plain/bin/pip install --quiet $wheel"
does "plain/bin/rollbook demo && plain/bin/rollbook doctor" 12
does "plain/bin/pip install --quiet '$wheel[hosting]' && plain/bin/rollbook serve --help"
does "plain/bin/pip install --quiet '$wheel[pdf]' && plain/bin/rollbook --version"
# [foundry] is not here: plyvel has wheels for some Pythons alone, and asks for a compiler and LevelDB on the others.

step "the wheel, by pipx"
does "python3 -m venv tools && tools/bin/pip install --quiet pipx uv"
export PIPX_HOME=/srv/newcomer/pipx PIPX_BIN_DIR=/srv/newcomer/pipx/bin PIPX_MAN_DIR=/srv/newcomer/pipx/man
does "tools/bin/pipx install $wheel && pipx/bin/rollbook demo"
does "tools/bin/pipx install --force '$wheel[web]' && pipx/bin/rollbook --version && ls pipx/man/*"
does "cd rollbook && ../tools/bin/pipx install --force . && ../pipx/bin/rollbook --version"

step "the wheel, by uv tool"
export UV_TOOL_DIR=/srv/newcomer/uv UV_TOOL_BIN_DIR=/srv/newcomer/uv/bin
does "tools/bin/uv tool install $wheel && uv/bin/rollbook demo"
does "cd rollbook && ../tools/bin/uv tool install --force . && ../uv/bin/rollbook --version"

step "nothing was written to the home folder, and all of it works"
