// SPDX-License-Identifier: BSD-3-Clause
// The exact derivatives of every joint, force and control, in space and in the plane, against
// central differences.
#include <gtest/gtest.h>

#include "tests/mechanism/two_bodies.h"
#include "tests/support/tangent_checks.h"

namespace picus::testing {
namespace {

class PartDerivatives : public ::testing::TestWithParam<PartCase> {};

TEST_P(PartDerivatives, AreExact) {
  const auto mechanism = GetParam().assembled();
  // a corner of the guide would touch within the steps of the differences at 0.2, where the law of
  // compliant contacts has a kink
  const double size = GetParam().carried == PartCase::Carried::kFirst ? 0.15 : 0.2;
  TangentChecks(GetParam().name, mechanism->system(), sized(*mechanism), size).all();
}

INSTANTIATE_TEST_SUITE_P(Joints, PartDerivatives, ::testing::ValuesIn(joint_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Forces, PartDerivatives, ::testing::ValuesIn(force_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Contacts, PartDerivatives, ::testing::ValuesIn(contact_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Controls, PartDerivatives, ::testing::ValuesIn(control_cases()), name_of);

const auto kFirst = PartCase::Carried::kFirst, kBoth = PartCase::Carried::kBoth;
INSTANTIATE_TEST_SUITE_P(CarriedJoints, PartDerivatives,
                         ::testing::ValuesIn(on_carried_frames(joint_cases(), kBoth)), name_of);
INSTANTIATE_TEST_SUITE_P(CarriedForces, PartDerivatives,
                         ::testing::ValuesIn(on_carried_frames(force_cases(), kBoth)), name_of);
INSTANTIATE_TEST_SUITE_P(CarriedContacts, PartDerivatives,
                         ::testing::ValuesIn(on_carried_frames(contact_cases(), kBoth)), name_of);
INSTANTIATE_TEST_SUITE_P(CarriedControls, PartDerivatives,
                         ::testing::ValuesIn(on_carried_frames(control_cases(), kBoth)), name_of);
INSTANTIATE_TEST_SUITE_P(HalfCarriedJoints, PartDerivatives,
                         ::testing::ValuesIn(on_carried_frames(joint_cases(), kFirst)), name_of);
INSTANTIATE_TEST_SUITE_P(HalfCarriedForces, PartDerivatives,
                         ::testing::ValuesIn(on_carried_frames(force_cases(), kFirst)), name_of);
INSTANTIATE_TEST_SUITE_P(HalfCarriedContacts, PartDerivatives,
                         ::testing::ValuesIn(on_carried_frames(contact_cases(), kFirst)), name_of);

TEST(Parts, EveryPartOfTheListsHasACase) {
  std::set<std::size_t> joints, forces, contacts;
  for (const PartCase& part : joint_cases())
    for (const Named<Joint>& joint : part.model.joints)
      joints.insert(joint.value.index());
  for (const PartCase& part : force_cases())
    for (const Named<Force>& force : part.model.forces)
      forces.insert(force.value.index());
  for (const PartCase& part : contact_cases())
    for (const Named<Contact>& contact : part.model.contacts)
      contacts.insert(contact.value.index());
  EXPECT_EQ(contacts.size(), std::variant_size_v<Contact>);
  EXPECT_EQ(joints.size(), std::variant_size_v<Joint>);
  EXPECT_EQ(forces.size(), std::variant_size_v<Force>);
}

}  // namespace
}  // namespace picus::testing
