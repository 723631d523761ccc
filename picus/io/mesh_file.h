// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "picus/model/bodies/shapes.h"

namespace picus {

/// Reads a surface from an OBJ or STL file (text or binary). Throws InputError with the file and
/// the line: missing, of another format, damaged, or too large to travel in results.
Triangles read_mesh_file(const std::string& path);

/// The same from its bytes; the end of the name tells the format.
Triangles read_mesh(std::string_view bytes, const std::string& path);

/// The same from texts.
Triangles read_obj(std::string_view text);
Triangles read_stl(std::string_view bytes);

}  // namespace picus
