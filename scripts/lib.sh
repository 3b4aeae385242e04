# What the scripts share; sourced, not run.  Logs go to $logs.
logs=build/logs
mkdir -p "$logs"

say() { echo "ridge: $*" >&2; }
die() {
    echo "ridge: $*" >&2
    exit 2
}
have_command() { command -v "$1" >/dev/null 2>&1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# Where a CUDA compiler is: what was brought along, CUDA_HOME, PATH, the usual folder.
nvcc_path() {
    local candidate
    for candidate in build/toolkit/bin/nvcc "${CUDA_HOME:-/nowhere}/bin/nvcc" "$(command -v nvcc || true)" \
        /usr/local/cuda/bin/nvcc; do
        if [ -n "$candidate" ] && [ -x "$candidate" ]; then
            realpath "$candidate"
            return 0
        fi
    done
    return 1
}

# The driver's version, "580.65.06", or nothing.
driver_version() {
    sed -n 's/.*Kernel Module[^0-9]*\([0-9][0-9.]*\).*/\1/p' "${RIDGE_ROOT:-}/proc/driver/nvidia/version" 2>/dev/null || true
}
card_present() { [ -e "${RIDGE_ROOT:-}/proc/driver/nvidia/version" ] || [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; }
# Compute capabilities of the cards, "90", one a line.
card_capabilities() {
    nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | grep -E '^[0-9]+$' | sort -un || true
}

cmake_new_enough() {
    local version
    version=$("$1" --version 2>/dev/null | sed -n 's/^cmake version //p')
    [ -n "$version" ] && [ "$(printf '3.25\n%s\n' "$version" | sort -V | head -1)" = 3.25 ]
}
# The CMake to use.
cmake_path() {
    if cmake_new_enough cmake; then echo cmake; else echo "$PWD/build/tools/cmake/data/bin/cmake"; fi
}

# configure FOLDER OPTIONS...: configures a build, quietly, and shows the log when it fails.
configure() {
    local folder=$1 nvcc
    shift
    if nvcc=$(nvcc_path); then set -- "-DCMAKE_CUDA_COMPILER=$nvcc" "$@"; fi
    "$(cmake_path)" -S . -B "$folder" "$@" >"$logs/configure.log" 2>&1 ||
        { tail -30 "$logs/configure.log" >&2; die "cmake could not configure $folder"; }
}
# build_targets FOLDER TARGETS...
build_targets() {
    local folder=$1 log
    shift
    log=$logs/build-$(basename "$folder").log
    "$(cmake_path)" --build "$folder" -j "$(nproc)" ${1:+--target "$@"} >"$log" 2>&1 ||
        { grep -E 'error|warning|Error' "$log" | head -30 >&2; die "the build in $folder failed (see $log)"; }
}
