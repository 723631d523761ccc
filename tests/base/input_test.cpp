// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include <gtest/gtest.h>

#include "picus/base/contract.h"
#include "picus/base/error.h"
#include "picus/base/fields.h"
#include "picus/base/version.h"

namespace picus {

enum class Flavour { kSweet, kSour };
template <>
struct EnumNames<Flavour> {
  static constexpr std::array<std::string_view, 2> names{"sweet", "sour"};
};

namespace {

constexpr std::array<std::string_view, 3> kNames{"index3", "index2", "stabilized_index1"};

TEST(NearestName, FindsASlipOfThePen) {
  EXPECT_EQ(nearest_name("indx3", kNames), "index3");
  EXPECT_EQ(nearest_name("stabilised_index1", kNames), "stabilized_index1");
  EXPECT_EQ(nearest_name("radau", kNames), "");
  constexpr std::array<std::string_view, 2> kShort{"a", "ab"};
  EXPECT_EQ(nearest_name("x", kShort), "") << "one letter is never like another";
  EXPECT_EQ(nearest_name("ac", kShort), "a");
}

TEST(UnknownName, ListsEverythingWhenNothingIsNear) {
  EXPECT_EQ(unknown_name("stepper", "radau", kNames),
            "unknown stepper 'radau'; expected one of: index3, index2, stabilized_index1");
  EXPECT_EQ(unknown_name("stepper", "index-3", kNames),
            "unknown stepper 'index-3'; did you mean 'index3'?");
}

struct Settings {
  double size = 0.5;
  int count = 3;
  Flavour flavour = Flavour::kSour;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("size", self.size, "how large");
    visit("count", self.count, "how many");
    visit("flavour", self.flavour, "sweet or sour");
  }
};

std::string complaint(const OptionValues& values) {
  try {
    read_options<Settings>(values);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Fields, AreReadByName) {
  const auto s =
      read_options<Settings>({{"size", "2.5e-3"}, {"flavour", "sweet"}, {"count", "-7"}});
  EXPECT_EQ(s.size, 2.5e-3);
  EXPECT_EQ(s.count, -7);
  EXPECT_EQ(s.flavour, Flavour::kSweet);
}

TEST(Fields, BadInputSaysWhatWasFoundAndExpected) {
  EXPECT_EQ(complaint({{"sise", "1"}}), "unknown option 'sise'; did you mean 'size'?");
  EXPECT_EQ(complaint({{"size", "big"}}), "option 'size': found 'big', expected a number");
  EXPECT_EQ(complaint({{"size", "1.0x"}}), "option 'size': found '1.0x', expected a number");
  EXPECT_EQ(complaint({{"count", "2.5"}}), "option 'count': found '2.5', expected a whole number");
  EXPECT_EQ(complaint({{"flavour", "salty"}}),
            "option 'flavour': found 'salty', expected one of: sweet, sour");
}

TEST(Fields, DescribeThemselvesWithDefaults) {
  const auto fields = describe_fields<Settings>();
  ASSERT_EQ(fields.size(), 3u);
  EXPECT_EQ(fields[0].default_value, "0.5");
  EXPECT_EQ(fields[1].default_value, "3");
  EXPECT_EQ(fields[2].default_value, "sour");
  EXPECT_EQ(fields[2].meaning, "sweet or sour");
}

TEST(ContractDeathTest, NamesTheBrokenPromise) {
  EXPECT_DEATH(expects(false, "a positive step size"), "broken promise: a positive step size");
}

TEST(Version, HasThreeNumbers) {
  EXPECT_EQ(std::count(version().begin(), version().end(), '.'), 2);
}

}  // namespace
}  // namespace picus
