// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pages of studies: figures, claims and slopes, and a gallery of all of them.

#include <string>
#include <vector>

namespace picus::report {

struct StudyClaim {
  std::string claim;
  double value = 0.0;
  std::string wanted;
  bool holds = false;
};

/// How steep a curve is on logarithmic axes.
struct StudySlope {
  std::string panel, curve;
  double slope = 0.0;
};

struct StudyFigure {
  std::string svg;
  std::vector<StudySlope> slopes;  ///< of its curves on logarithmic axes
};

struct StudyPage {
  std::string id, paper, title;
  double seconds = 0.0;
  std::vector<StudyClaim> claims;
  std::vector<StudyFigure> figures;
  std::vector<std::string> files;       ///< beside the page, to be linked
  std::vector<std::string> notes = {};  ///< below the claims

  long holding() const;
};

std::string study_page(const StudyPage& study);

/// Cards that lead to ID/index.html.
std::string gallery_page(const std::vector<StudyPage>& studies);

}  // namespace picus::report
