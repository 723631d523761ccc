// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers and bytes in the forms in which they travel to a page. Internal to the room.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace picus::report {

/// Puts floats in a form that deflates well and that a page undoes quickly: bits of neighbours are
/// subtracted, then bytes of equal weight stand together. `run` floats belong together.
std::string packed(std::span<const float> values, std::size_t run);

/// The same for whole numbers: what continues two neighbours on a straight line is subtracted,
/// signs go to the lowest bit.
std::string packed(std::span<const std::int32_t> values, std::size_t run);

/// The same bytes in the zlib format (RFC 1950).
std::string deflated(std::string_view bytes);

std::string base64(std::string_view bytes);
/// The 64 digits in their order.
std::string_view base64_digits();

}  // namespace picus::report
