// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "picus/model/values.h"

namespace picus {

/// What the page of a run shows first, and `picus plot` without channels draws.
struct PlotPart {
  static constexpr std::string_view kSummary =
      "channels drawn over time, or over another channel; a channel or a list of them stands for "
      "`{y: …}`";
  static constexpr std::string_view kShorthand = "y";
  SourcePlace place;  ///< set by the reader
  std::vector<std::string> y;
  std::string x, title;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("y", self.y, "channels such as `joints.pin.angle`; `*` and `?` match many",
          FieldTraits{.required = true});
    visit("x", self.x, "channel of the abscissa; default: time", FieldTraits{});
    visit("title", self.title, "default: its channels", FieldTraits{});
  }
};

}  // namespace picus
