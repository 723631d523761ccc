// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "apps/picus/commands/commands.h"

namespace picus::app {

std::span<const Verb> verb_table() {
  static constexpr std::array kVerbs{
      Verb{"run", "Integrate a model and write its result", describe_run},
      Verb{"verify", "Tell how many digits of a run may be trusted", describe_verify},
      Verb{"check", "Say whether a model can be used, and what is odd about it", describe_check},
      Verb{"static", "Find the position in which a model stays at rest", describe_static},
      Verb{"modes", "Frequencies, damping and shapes of small vibrations", describe_modes},
      Verb{"info", "Tell what is in a model or a result file", describe_info},
      Verb{"report", "Write a page that shows a result moving, or pictures of it", describe_report},
      Verb{"view", "Show a result in the browser, also while its run goes on", describe_view},
      Verb{"export", "Write a result as CSV or for ParaView", describe_export},
      Verb{"new", "Write a model to begin with", describe_new},
      Verb{"list", "Show what there is: integrators, joints, forces, functions, …", describe_list},
      Verb{"schema", "Print the JSON schema of model files, for editors", describe_schema},
      Verb{"reference", "Print the reference of model files, in Markdown", describe_reference},
      Verb{"reproduce", "Repeat experiments of the papers and check their claims",
           describe_reproduce},
      Verb{"completion", "Print a script by which a shell completes commands", describe_completion},
      Verb{"manual", "Print the manual page of the program or of a verb, for man", describe_manual},
  };
  return kVerbs;
}

}  // namespace picus::app
