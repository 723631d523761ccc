// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The one vocabulary for what a contact does, in all rooms from the solvers to the result files.

#include <array>
#include <string_view>

#include "picus/base/fields.h"

namespace picus {

/// What a contact or a friction element does during a step: σ̂ of studer-leine-glocker §4. It is
/// found from projections, not tolerances. Stick and closed are their 'constraint', open and slip
/// their 'impressed'.
enum class ContactMode {
  kOpen,    ///< no impulse
  kStick,   ///< tangential velocity is zero
  kSlip,    ///< friction is at its limit
  kClosed,  ///< touches without friction; code that needs a direction lets such contacts slip
};
template <>
struct EnumNames<ContactMode> {
  static constexpr std::array<std::string_view, 4> names{"open", "stick", "slip", "closed"};
};

/// The mode of one law, a contact or a friction element, with the side to which it slips.
struct LawMode {
  ContactMode mode = ContactMode::kOpen;
  int side = 0;  ///< sign of the friction of a slip along one line; 0 in other modes and in a plane

  bool slips() const { return mode == ContactMode::kSlip; }
  bool operator==(const LawMode&) const = default;
};

}  // namespace picus
