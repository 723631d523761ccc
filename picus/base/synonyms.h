// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

namespace picus {

/// Words that other programs and textbooks use for ours: of `candidates` the one that `word` means,
/// as "hinge" means revolute; nothing when it means none of them.
std::string_view our_word_for(std::string_view word, std::span<const std::string_view> candidates);

/// A sentence about a word for which there is nothing here, where `candidates` has what is nearest
/// to it: of "beam" among the flexible parts. Empty for others.
std::string_view remark_on(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace picus
