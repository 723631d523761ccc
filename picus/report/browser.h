// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pictures of a page, by a browser without a window.

#include <filesystem>
#include <string>

namespace picus::report {

struct PictureOptions {
  double time = 0.0;  ///< [s]
  int width = 1200, height = 750;
  bool dark = false;
  bool whole_page = false;  ///< with plots, not the mechanism alone
};

struct FilmOptions {
  double begin = 0.0, end = 0.0;  ///< [s]; all of the run when equal
  double seconds = 6.0;           ///< how long it plays
  int width = 640, height = 400;
  bool dark = false;
};

/// Writes a picture (PNG) of a page of a run. Throws InputError when no browser is there, or when
/// it makes no picture.
void write_picture(const std::filesystem::path& page, const PictureOptions& options,
                   const std::filesystem::path& picture);

/// Writes an SVG document as a picture (PNG), with two pixels for each of its own.
void write_drawing(const std::string& svg, const std::filesystem::path& picture);

/// Writes a film: WebM or GIF, as the name ends.
void write_film(const std::filesystem::path& page, const FilmOptions& options,
                const std::filesystem::path& film);

}  // namespace picus::report
