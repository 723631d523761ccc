// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Figures of studies are drawn as those of results are.

#include "picus/report/svg_plot.h"

namespace picus::studies {

using report::Axis;
using report::Colour;
using report::Curve;
using report::Figure;
using report::Line;
using report::Marker;
using report::Panel;
using report::Range;
using report::Scale;
using report::slope_guide;
using report::to_svg;
using report::with_minus;

}  // namespace picus::studies
