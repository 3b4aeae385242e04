#!/usr/bin/env bash
# scripts/setup says in one sentence when the card or its driver needs CUDA 12: test_setup.sh SOURCE_FOLDER
set -u
source_folder=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# A copy, so that nothing is installed into the tree that is being tested.
mkdir -p "$scratch/tree" "$scratch/bin" "$scratch/root/proc/driver/nvidia"
cp -r "$source_folder/scripts" "$scratch/tree/"

setup() { RIDGE_ROOT=$scratch/root PATH=$scratch/bin:$PATH "$scratch/tree/scripts/setup" measure --toolkit 2>&1; }
expect() {
    local what=$1 sentence=$2 said
    said=$(setup)
    if [[ $said != *"$sentence"* ]] || [ -e "$scratch/tree/build/toolkit" ]; then
        echo "FAIL $what: wanted \"$sentence\", got: $said"
        failed=1
    fi
}
driver() { echo "NVRM version: NVIDIA UNIX x86_64 Kernel Module  $1  Tue Jan  1 00:00:00 UTC 2025" >"$scratch/root/proc/driver/nvidia/version"; }
card() { printf '#!/bin/sh\necho %s\n' "$1" >"$scratch/bin/nvidia-smi" && chmod +x "$scratch/bin/nvidia-smi"; }

card 8.0
driver 550.54.14
expect "an old driver" "the driver 550.54.14 is older than CUDA 13 needs (580)"
card 7.0
driver 580.65.06
expect "an old card" "a card of compute capability 7.0 needs CUDA 12"

"$scratch/tree/scripts/setup" mesure >"$scratch/out" 2>&1
[ $? = 2 ] && grep -q "unknown word 'mesure'" "$scratch/out" || { echo "FAIL an unknown word"; failed=1; }
[ $failed = 0 ] && echo "set-up says what it cannot bring"
exit $failed
