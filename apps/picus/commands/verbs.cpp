// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "apps/picus/commands/commands.h"

namespace picus::app {

std::span<const Verb> verb_table() {
  static constexpr std::array kVerbs{
      Verb{"run", "Integrate a model and write its result", describe_run},
      Verb{"verify", "Measure how many digits of a run are right", describe_verify},
      Verb{"check", "Check a model: degrees of freedom, redundant joints, suspicious values",
           describe_check},
      Verb{"static", "Find the equilibrium of a model", describe_static},
      Verb{"modes", "Find frequencies, damping and shapes of small vibrations", describe_modes},
      Verb{"info", "Describe a model or a result file", describe_info},
      Verb{"report", "Write a page that animates a result, or a picture or film of it",
           describe_report},
      Verb{"plot", "Plot channels of a result as a figure (SVG, PNG)", describe_plot},
      Verb{"view", "Show a result in the browser, also while its run is in progress",
           describe_view},
      Verb{"watch", "Run a model again whenever its file changes, and show it", describe_watch},
      Verb{"export", "Export a result as CSV or for ParaView", describe_export},
      Verb{"new", "Write a model to start from", describe_new},
      Verb{"list", "List integrators, joints, forces, functions, …", describe_list},
      Verb{"schema", "Print the JSON schema of model files, for editors", describe_schema},
      Verb{"reference", "Print the reference of model files, in Markdown", describe_reference},
      Verb{"reproduce", "Repeat experiments of the papers and check their claims",
           describe_reproduce},
      Verb{"completion", "Print a completion script for a shell", describe_completion},
      Verb{"manual", "Print the manual page of the program or of a verb, for man", describe_manual},
  };
  return kVerbs;
}

}  // namespace picus::app
