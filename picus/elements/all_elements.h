// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The list of elements: tests of derivatives and of rigid motions walk it.

#include <tuple>
#include <type_traits>

#include "picus/elements/bar_element.h"
#include "picus/elements/beam_element.h"

namespace picus {

using AllElements = std::tuple<BarElement, PlanarBeamElement, BeamElement>;

template <class Element, class List>
inline constexpr bool kIsAmong = false;
template <class Element, class... Each>
inline constexpr bool kIsAmong<Element, std::tuple<Each...>> = (std::is_same_v<Element, Each> ||
                                                                ...);

}  // namespace picus
