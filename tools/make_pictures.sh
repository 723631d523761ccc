#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs shipped models and pictures them: make_pictures.sh PICUS SCRATCH OUTPUT
set -eu
picus=$1 scratch=$2 output=$3
mkdir -p "$scratch" "$output"

# model, time of the snapshot, further options
picture() {
  model=$1 time=$2
  shift 2
  [ -f "$scratch/$model.h5" ] || "$picus" run "models/$model.yaml" -o "$scratch/$model.h5" -q
  "$picus" report "$scratch/$model.h5" --snapshot "t=$time" -o "$output/$model.png" "$@"
}

picture woodpecker 0.373 --page
picture clearance_slider_crank 0.105 --page
picture newtons_cradle 0.7 --page --dark
picture bar_impact 0.7 --size 900x480
picture poly_v_belt 0.15 --size 900x640
picture spatial_slider_crank 0.7 --size 900x560
picture rolling_disc 1.2 --size 900x480
picture brick_wall 0.7 --size 900x560
picture whirling_shaft 1.05 --size 900x480
picture diving_board 0.5 --size 900x480
picture landing_gear 0.12 --size 900x480
picture bow_and_arrow 0.79 --size 900x480
picture fishing_rod 0.85 --size 900x480
picture rope_swing 1.0 --size 900x480
picture mixing_drum 4 --size 900x560  # three minutes
"$picus" report "$scratch/newtons_cradle.h5" --film 0:1.47 --seconds 2.94 --size 480x300 \
  -o "$output/newtons_cradle.gif"
"$picus" report "$scratch/woodpecker.h5" --film 0.35:0.643 --seconds 5 --size 300x420 \
  -o "$output/woodpecker.gif"

# a figure of a study, and the gallery of all of them (a minute and a half)
"$picus" reproduce all --report -q -o "$scratch/studies"
cp "$scratch/studies/pendulum-constraints/residuals-down.svg" "$output/pendulum-constraints.svg"
"${PICUS_BROWSER:-chromium}" --headless --disable-gpu --no-sandbox --hide-scrollbars \
  --window-size=1366,900 --screenshot="$(realpath "$output")/gallery.png" \
  "file://$(realpath "$scratch/studies/index.html")" 2>/dev/null
