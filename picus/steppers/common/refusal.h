// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/steppers/stepper.h"

namespace picus {

/// Throws InputError when the system has a feature that the method, by its traits, does not accept;
/// the message names methods that do.
void refuse_unsupported(const char* method, const StepperTraits& can, const System& system);

/// The same for Poisson's law of restitution alone.
void refuse_poisson(std::string_view method, const StepperTraits& can, const System& system);

/// The same for limits of friction that read reactions of joints.
void refuse_reaction_limits(std::string_view method, const StepperTraits& can,
                            const System& system);

}  // namespace picus
