// SPDX-License-Identifier: BSD-3-Clause
#include "apps/picus/completion_words.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/commands/lists.h"
#include "apps/picus/templates.h"
#include "picus/base/error.h"
#include "picus/io/model_file.h"
#include "picus/results/result_file.h"
#include "picus/steppers/catalog.h"
#include "studies/catalog.h"

namespace picus::app {
namespace {

using Words = std::span<const std::string>;  ///< between the verb and the word to complete

bool has_ending(const std::string& word, std::string_view ending) {
  return std::filesystem::path(word).extension() == ending;
}

// The value of an option among the words.
std::string value_of(Words words, std::string_view brief, std::string_view full) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == brief || words[i] == full) return words[i + 1];
  return {};
}

void add(Completion& completion, std::string_view word, std::string_view meaning = {}) {
  completion.words.push_back({std::string(word), std::string(meaning)});
}

void add_list(Completion& completion, std::string_view list) {
  for (const auto& [name, summary] : list_entries(list))
    add(completion, name, summary);
}

void integrators(Words, Completion& completion) {
  add(completion, "auto", "Picus chooses for the model");
  add_list(completion, "integrators");
}

void options_of_integrator(Words words, Completion& completion) {
  const std::string integrator = value_of(words, "-i", "--integrator");
  for (const StepperEntry& entry : stepper_catalog())
    if (entry.name == integrator)
      for (const FieldDescription& option : entry.options())
        add(completion, fmt::format("{}=", option.name), option.meaning);
}

void audit_modes(Words, Completion& completion) {
  add(completion, "fail", "stops the run if a law is broken");
  add(completion, "warn", "reports it and continues");
  add(completion, "off", "does not check");
}

void places_of_modes(Words, Completion& completion) {
  add(completion, "static", "at static equilibrium");
  add(completion, "start", "at the initial state");
}

void templates(Words, Completion& completion) {
  for (const Template& entry : template_catalog())
    add(completion, entry.name, entry.summary);
}

// Channels of the result among the words; none if it cannot be read.
void channels(Words words, Completion& completion) {
  for (const std::string& word : words) {
    if (!has_ending(word, ".h5")) continue;
    try {
      const ResultFile result(word);
      for (const std::string& name : result.channels())
        add(completion, name);
    } catch (const InputError&) {  // NOLINT(bugprone-empty-catch)
    }
    return;
  }
}

// Parameters of the model among the words.
void parameters(Words words, Completion& completion) {
  for (const std::string& word : words) {
    if (!has_ending(word, ".yaml") && !has_ending(word, ".yml")) continue;
    Diagnostics problems;
    for (const Parameter& parameter : load_document(word, {}, problems).parameters)
      add(completion, fmt::format("{}=", parameter.name));
    return;
  }
}

void models(Words, Completion& completion) {
  completion.endings = {"yaml", "yml"};
}

void results(Words, Completion& completion) {
  completion.endings = {"h5"};
}

void models_and_results(Words, Completion& completion) {
  completion.endings = {"yaml", "yml", "h5"};
}

void shells(Words, Completion& completion) {
  for (const char* shell : {"bash", "zsh", "fish"})
    add(completion, shell);
}

void verbs(Words, Completion& completion) {
  for (const Verb& verb : verb_table())
    add(completion, verb.name, verb.summary);
}

void lists(Words, Completion& completion) {
  for (const std::string_view list : list_names())
    add(completion, list);
}

void entries_of_list(Words words, Completion& completion) {
  const std::vector<std::string_view> names = list_names();
  for (const std::string& word : words)
    if (std::find(names.begin(), names.end(), word) != names.end()) add_list(completion, word);
}

void study_ids(Words, Completion& completion) {
  add(completion, "all");
  add_list(completion, "studies");
}

void nothing(Words, Completion&) {}

struct Source {
  std::string_view verb;  ///< empty: all
  std::string_view name;  ///< of an option, or of an argument as the help names it
  void (*values)(Words, Completion&);
};

constexpr std::array kSources{
    Source{"list", "NAME", entries_of_list},
    Source{"new", "NAME", nothing},
    Source{"", "MODEL", models},
    Source{"", "RESULT", results},
    Source{"", "FILE", models_and_results},
    Source{"", "WHAT", lists},
    Source{"", "ID", study_ids},
    Source{"", "SHELL", shells},
    Source{"", "VERB", verbs},
    Source{"", "--integrator", integrators},
    Source{"", "--option", options_of_integrator},
    Source{"", "--audit", audit_modes},
    Source{"", "--at", places_of_modes},
    Source{"", "--template", templates},
    Source{"", "--channels", channels},
    Source{"", "--set", parameters},
};

void add_values(const CLI::App& verb, const std::string& name, Words words,
                Completion& completion) {
  const auto source = std::find_if(kSources.begin(), kSources.end(), [&](const Source& entry) {
    return entry.name == name && (entry.verb.empty() || entry.verb == verb.get_name());
  });
  if (source == kSources.end())
    completion.any_file = true;
  else
    source->values(words, completion);
}

void add_options(const CLI::App& verb, Completion& completion) {
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_snames())
      add(completion, fmt::format("-{}", name), option->get_description());
    for (const std::string& name : option->get_lnames())
      add(completion, fmt::format("--{}", name), option->get_description());
  }
}

// State after the words so far: the option that takes the next value, and the number of arguments.
struct Open {
  const CLI::Option* option = nullptr;
  int taken = 0;  ///< values of it so far
  std::size_t arguments = 0;

  void read(const CLI::App& verb, const std::string& word) {
    if (word.size() > 1 && word.starts_with('-')) {
      option = word.find('=') == std::string::npos ? verb.get_option_no_throw(word) : nullptr;
      taken = 0;
    } else if (wants_value()) {
      ++taken;
    } else {
      ++arguments;
    }
  }
  bool wants_value() const { return option != nullptr && taken < option->get_items_expected_max(); }
};

void complete_in(const CLI::App& verb, Words before, const std::string& current,
                 Completion& completion) {
  if (current.starts_with('-')) return add_options(verb, completion);
  Open open;
  for (const std::string& word : before)
    open.read(verb, word);
  if (open.wants_value()) {
    const auto& names = open.option->get_lnames();
    return add_values(verb, names.empty() ? std::string() : "--" + names.front(), before,
                      completion);
  }
  std::vector<const CLI::Option*> arguments;
  for (const CLI::Option* option : verb.get_options())
    if (option->get_positional()) arguments.push_back(option);
  if (arguments.empty()) return;
  const bool repeats = arguments.back()->get_items_expected_max() > 1;
  if (open.arguments >= arguments.size() && !repeats) return;
  const std::size_t place = std::min(open.arguments, arguments.size() - 1);
  add_values(verb, arguments[place]->get_name(true, false), before, completion);
}

// The verb of that name, or none.
const CLI::App* find_verb(const CLI::App& app, const std::string& name) {
  for (const CLI::App* verb : app.get_subcommands({}))
    if (verb->get_name() == name) return verb;
  return nullptr;
}

}  // namespace

Completion complete(const CLI::App& app, const std::vector<std::string>& words) {
  Completion completion;
  const std::string current = words.empty() ? std::string() : words.back();
  if (words.size() <= 1) {
    verbs({}, completion);
    add(completion, "--help");
    add(completion, "--version");
  } else if (const CLI::App* verb = find_verb(app, words.front())) {
    complete_in(*verb, Words(words).subspan(1, words.size() - 2), current, completion);
  }
  std::erase_if(completion.words,
                [&](const CompletionWord& word) { return !word.text.starts_with(current); });
  return completion;
}

}  // namespace picus::app
