# What scripts/quickstart and scripts/check share: install what is missing,
# configure, build. Sourced by bash; each step prints one line and writes the
# rest to a log in the build folder.
#
# Environment (all optional):
#   NESTOR_BUILD_DIR     build folder (default: build)
#   NESTOR_MLIR_DIR      <prefix>/lib/cmake/mlir of an LLVM 22 of your own
#   NESTOR_LIBTORCH_DIR  a LibTorch 2.x folder of your own, instead of pip's torch
#   NESTOR_PIP_INDEX     the package index that torch is fetched from
#   NESTOR_SKIP_INSTALL  set to 1: install nothing, neither by apt-get nor by pip
#   NESTOR_JOBS          compile jobs at a time
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
build=${NESTOR_BUILD_DIR:-$root/build}
mkdir -p "$build"
build=$(cd "$build" && pwd)
log=$build/$(basename "$0").log
: >"$log"

export LC_ALL=C.UTF-8 PIP_DISABLE_PIP_VERSION_CHECK=1
self=scripts/$(basename "$0") # as a user would type it
# Another clone of the project finds its object files in ccache, too.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1

# Debian packages, and what each is needed for.
llvm_packages=(
  llvm-22-dev libmlir-22-dev  # LLVM and MLIR
  mlir-22-tools llvm-22-tools # mlir-opt, mlir-tblgen, lit, FileCheck
  libpolly-22-dev             # isl
)
other_packages=(
  clang-22 lld-22 clang-format-22 # compiler, linker, the check of the code's form
  libomp-22-dev                   # parallel loops in programs that are measured
  cmake ninja-build ccache git ca-certificates
  zlib1g-dev                                     # LLVM's CMake files ask for it
  libsqlite3-dev nlohmann-json3-dev libgtest-dev # working store, files, tests
  libopenblas-dev                                # a peer in the benchmarks
  python3 python3-venv
)
torch_requirement=torch==2.13.0
python_requirements=("numpy>=1.26,<3" "matplotlib>=3.7,<4")

if [ -n "${NESTOR_MLIR_DIR:-}" ]; then
  llvm_bin=$(cd "$NESTOR_MLIR_DIR/../../../bin" && pwd)
else
  llvm_bin=/usr/lib/llvm-22/bin
fi

#===------------------------------------------------------------------------===#
# Steps
#===------------------------------------------------------------------------===#

# fail STEP HINT: says which step failed and what to do, and ends the script.
fail() {
  printf '\nFAILED: %s\n' "$1" >&2
  printf '  What to do: %s\n  Log: %s\n' "$2" "$log" >&2
  exit 1
}

# step TITLE HINT COMMAND...: runs the command, its output in the log only.
step() {
  local title=$1 hint=$2 start=$SECONDS before
  shift 2
  printf '%s ... ' "$title"
  printf '\n=== %s\n' "$title" >>"$log"
  before=$(wc -l <"$log")
  if "$@" >>"$log" 2>&1 </dev/null; then
    printf 'done (%d s)\n' $((SECONDS - start))
  else
    printf 'failed\n'
    tail -n +$((before + 1)) "$log" | tail -n 20 | sed 's/^/  | /' >&2
    fail "$title" "$hint"
  fi
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

#===------------------------------------------------------------------------===#
# Debian packages
#===------------------------------------------------------------------------===#

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get \
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"
}

missing_packages() {
  local wanted=("${other_packages[@]}") installed
  [ -n "${NESTOR_MLIR_DIR:-}" ] || wanted+=("${llvm_packages[@]}")
  # dpkg-query fails if it does not know one of the names; that is no failure here.
  installed=$({ dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" \
    2>/dev/null || true; } | sed -n 's/^installed //p')
  comm -23 <(printf '%s\n' "${wanted[@]}" | sort -u) <(sort -u <<<"$installed")
}

install_packages() {
  local missing plan
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    fail "Debian packages" "this script installs on Debian 12; elsewhere install \
the like of ${llvm_packages[*]} ${other_packages[*]} and set NESTOR_SKIP_INSTALL=1"
  fi
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
    { [ -t 0 ] && command -v sudo >/dev/null && sudo -v; } ||
      fail "Debian packages" "run as root (or with sudo): apt-get install ${missing[*]}"
  fi

  step "Refreshing the list of Debian packages" \
    "look at the log: does apt-get update reach Debian's archive?" \
    apt_get update
  # --no-remove: nothing that is there already makes way without being asked.
  plan=$(apt_get install --assume-no --no-install-recommends --no-remove \
    "${missing[@]}" 2>&1 </dev/null) || true
  printf '%s\n' "$plan" >>"$log"
  if ! grep -q '^Need to get\|^After this' <<<"$plan"; then
    grep '^E:\|^ .*Depends' <<<"$plan" >&2 || true
    fail "Debian packages" "'apt-get install ${missing[*]}' must be possible: \
the LLVM 22 packages are in Debian 12's bookworm-security archive (is it in \
/etc/apt/sources.list?), and older -dev packages of LLVM in their way have to be \
removed by hand"
  fi
  echo "Debian packages to install: ${missing[*]}"
  grep '^Need to get\|^After this' <<<"$plan" | sed 's/^/  /'
  step "Installing ${#missing[@]} Debian packages and what they need" \
    "look at the log, then try by hand: apt-get install ${missing[*]}" \
    apt_get install -y --no-install-recommends --no-remove "${missing[@]}"
}

#===------------------------------------------------------------------------===#
# Python packages
#===------------------------------------------------------------------------===#

# have_package NAME [VERSION]: looks for its folder; starting Python would cost
# more than all other checks together.
have_package() {
  compgen -G ".venv/lib/python3*/site-packages/$1-${2:-}*.dist-info" >/dev/null
}

venv_install() {
  .venv/bin/python -m pip install "$@"
}

install_python_packages() {
  local index=()
  if [ ! -x .venv/bin/python ]; then
    step "Creating the Python environment .venv" \
      "remove the folder .venv, install python3-venv, and run this again" \
      /usr/bin/python3 -m venv --clear .venv
  fi
  if [ -z "${NESTOR_LIBTORCH_DIR:-}" ] &&
    ! have_package torch "${torch_requirement#*==}"; then
    if [ -n "${NESTOR_PIP_INDEX:-}" ]; then
      index=(--index-url "$NESTOR_PIP_INDEX")
    fi
    cat <<END
Python package to install: $torch_requirement (as LibTorch), from ${NESTOR_PIP_INDEX:-the index that pip is set to}
  A CPU build is about 200 MB; the build that PyPI serves to most machines comes
  with CUDA, several GB. To get the CPU build, or to use a LibTorch that is there:
    NESTOR_PIP_INDEX=https://download.pytorch.org/whl/cpu $self
    NESTOR_LIBTORCH_DIR=<folder of LibTorch 2.x> $self
END
    step "Installing $torch_requirement" \
      "is the index reached? Or set NESTOR_PIP_INDEX or NESTOR_LIBTORCH_DIR as said above" \
      venv_install ${index[@]+"${index[@]}"} "$torch_requirement"
  fi
  if [ ! -x "$llvm_bin/lit" ] && [ ! -x "$llvm_bin/llvm-lit" ] && ! have_package lit; then
    step "Installing the test runner lit" "try by hand: .venv/bin/pip install lit" \
      venv_install lit
  fi
  if ! have_package numpy || ! have_package matplotlib; then
    echo "Python packages to install: ${python_requirements[*]} (about 30 MB)"
    step "Installing numpy and matplotlib" \
      "try by hand: .venv/bin/pip install '${python_requirements[0]}' '${python_requirements[1]}'" \
      venv_install "${python_requirements[@]}"
  fi
}

#===------------------------------------------------------------------------===#
# Configuring and building
#===------------------------------------------------------------------------===#

configure() {
  local options=(-G Ninja -DCMAKE_BUILD_TYPE=Release -DLLVM_USE_LINKER=lld)
  if [ -z "${CC:-}${CXX:-}" ]; then
    options+=(-DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22)
  fi
  [ -z "${NESTOR_MLIR_DIR:-}" ] || options+=("-DMLIR_DIR=$NESTOR_MLIR_DIR")
  options+=("-DLIBTORCH_DIR=${NESTOR_LIBTORCH_DIR:-}")
  [ ! -x .venv/bin/lit ] || options+=("-DNESTOR_LIT=$root/.venv/bin/lit")
  # The build itself sees when CMake's files change; only options need this.
  if [ ! -f "$build/build.ninja" ] ||
    [ "${options[*]}" != "$(cat "$build/nestor-options.txt" 2>/dev/null)" ]; then
    step "Configuring in ${build#"$root"/}" \
      "read the last lines above; if the folder is of an older set-up: rm -r $build" \
      cmake -S "$root" -B "$build" "${options[@]}"
    echo "${options[*]}" >"$build/nestor-options.txt"
  fi
}

# One job a core, but no more than memory holds: a compiler takes up to 2 GiB.
job_count() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ {print int($2 / 2097152)}' /proc/meminfo)
  [ "$memory" -ge 1 ] || memory=1
  echo "${NESTOR_JOBS:-$((cores < memory ? cores : memory))}"
}

# Turns ninja's lines into one line that is rewritten (on a terminal), or into
# a few points on the way (in a log file).
show_progress() {
  local tty=0
  [ -t 1 ] && tty=1
  awk -v tty=$tty -F'[][/]' '
    /^\[[0-9]+\/[0-9]+\]/ {
      if (tty) { printf "\r\033[KBuilding ... %d of %d", $2, $3; fflush(); next }
      percent = int($2 * 10 / $3) * 10
      if (percent > last) { last = percent; printf "%d%% ", percent; fflush() }
    }
    END { if (tty) printf "\r\033[K" }'
}

# compile [TARGET...]
compile() {
  local start=$SECONDS status=0
  printf '\n=== Building\n' >>"$log"
  [ -t 1 ] || printf 'Building ... '
  NINJA_STATUS='[%f/%t] ' ninja -C "$build" -j "$(job_count)" "$@" 2>&1 </dev/null |
    tee -a "$log" | show_progress || status=1
  [ ! -t 1 ] || printf 'Building ... '
  if [ $status = 0 ]; then
    printf 'done (%d s)\n' $((SECONDS - start))
  else
    printf 'failed\n'
    sed -n '/^\(FAILED:\|CMake Error\)/,$p' "$log" | head -n 60 | sed 's/^/  | /' >&2
    fail "Building" "read the errors above; was the compiler killed for lack of \
memory, try NESTOR_JOBS=1 $self"
  fi
}

# Everything up to a finished build.
set_up() {
  if [ "${NESTOR_SKIP_INSTALL:-}" != 1 ]; then
    install_packages
    install_python_packages
  fi
  configure
  compile
}
