// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/explicit_tableaux.h"

namespace picus {
namespace {

constexpr ExplicitTableau kTableaux[] = {
    // the midpoint rule; Simpson's weights on its stages and its end are of order two as well and
    // differ from it by half or all of its error
    {.order = 2,
     .error_order = 2,
     .stages = 2,
     .a = {{{}, {1. / 2}}},
     .b = {0., 1.},
     .other = {1. / 6, 2. / 3, 1. / 6}},
    // [BogackiShampine1989]
    {.order = 3,
     .error_order = 2,
     .stages = 3,
     .a = {{{}, {1. / 2}, {0., 3. / 4}}},
     .b = {2. / 9, 1. / 3, 4. / 9},
     .other = {7. / 24, 1. / 4, 1. / 3, 1. / 8}},
    // the classical method, Kutta 1901; compared with a solution of order three that its end gives
    {.order = 4,
     .error_order = 3,
     .stages = 4,
     .a = {{{}, {1. / 2}, {0., 1. / 2}, {0., 0., 1.}}},
     .b = {1. / 6, 1. / 3, 1. / 3, 1. / 6},
     .other = {1. / 6, 1. / 3, 1. / 3, 1. / 15, 1. / 10}},
    // [DormandPrince1980]
    {.order = 5,
     .error_order = 4,
     .stages = 6,
     .a = {{{},
            {1. / 5},
            {3. / 40, 9. / 40},
            {44. / 45, -56. / 15, 32. / 9},
            {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
            {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656}}},
     .b = {35. / 384, 0., 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
     .other = {5179. / 57600, 0., 7571. / 16695, 393. / 640, -92097. / 339200, 187. / 2100,
               1. / 40}},
    // [Verner1978], the method of DVERK
    {.order = 6,
     .error_order = 5,
     .stages = 8,
     .a = {{{},
            {1. / 6},
            {4. / 75, 16. / 75},
            {5. / 6, -8. / 3, 5. / 2},
            {-165. / 64, 55. / 6, -425. / 64, 85. / 96},
            {12. / 5, -8., 4015. / 612, -11. / 36, 88. / 255},
            {-8263. / 15000, 124. / 75, -643. / 680, -81. / 250, 2484. / 10625},
            {3501. / 1720, -300. / 43, 297275. / 52632, -319. / 2322, 24068. / 84065, 0.,
             3850. / 26703}}},
     .b = {3. / 40, 0., 875. / 2244, 23. / 72, 264. / 1955, 0., 125. / 11592, 43. / 616},
     .other = {13. / 160, 0., 2375. / 5984, 5. / 16, 12. / 85, 3. / 44}},
};

}  // namespace

std::span<const ExplicitTableau> explicit_tableaux() {
  return kTableaux;
}

}  // namespace picus
