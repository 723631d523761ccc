// SPDX-License-Identifier: BSD-3-Clause
// picus completion: scripts for shells, made from the verbs and options as they are.
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/commands/lists.h"
#include "picus/base/error.h"

namespace picus::app {
namespace {

struct Words {
  std::string verb, summary;
  std::vector<std::string> options;           ///< with their dashes
  std::vector<std::string_view> values = {};  ///< of the first argument; files when empty
};

constexpr std::array<std::string_view, 3> kShells{"bash", "zsh", "fish"};

std::vector<Words> words_of(const CLI::App& app) {
  std::vector<Words> all;
  for (const CLI::App* verb : app.get_subcommands({})) {
    Words words{verb->get_name(), verb->get_description(), {}};
    for (const CLI::Option* option : verb->get_options()) {
      for (const std::string& name : option->get_snames())
        words.options.push_back(fmt::format("-{}", name));
      for (const std::string& name : option->get_lnames())
        words.options.push_back(fmt::format("--{}", name));
    }
    if (words.verb == "list") words.values = list_names();
    if (words.verb == "completion") words.values = {kShells.begin(), kShells.end()};
    all.push_back(std::move(words));
  }
  return all;
}

std::string verb_names(const std::vector<Words>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Words& words : all)
    names.push_back(words.verb);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string bash_script(const std::vector<Words>& all) {
  std::string cases;
  for (const Words& words : all) {
    cases += fmt::format("    {}) options='{}'; values='{}' ;;\n", words.verb,
                         fmt::join(words.options, " "), fmt::join(words.values, " "));
  }
  return fmt::format(
      "# completion of picus for bash: source this, or put it into\n"
      "# ~/.local/share/bash-completion/completions/picus\n"
      "_picus() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} options='' values=''\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}"
      "  esac\n"
      "  if [[ $current == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
      "  elif [ -n \"$values\" ] && [ \"$COMP_CWORD\" -eq 2 ]; then\n"
      "    COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _picus picus\n",
      verb_names(all), cases);
}

std::string zsh_script(const std::vector<Words>& all) {
  std::string verbs, cases;
  for (const Words& words : all) {
    verbs += fmt::format("    '{}:{}'\n", words.verb, words.summary);
    cases += fmt::format("    {}) options=({}); values=({}) ;;\n", words.verb,
                         fmt::join(words.options, " "), fmt::join(words.values, " "));
  }
  return fmt::format(
      "#compdef picus\n"
      "# completion of picus for zsh: put it into a folder of $fpath as _picus\n"
      "_picus() {{\n"
      "  local -a verbs options values\n"
      "  verbs=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command verbs\n"
      "    return\n"
      "  fi\n"
      "  case $words[2] in\n{}"
      "  esac\n"
      "  if [[ $words[CURRENT] == -* ]]; then\n"
      "    compadd -- $options\n"
      "  elif (( CURRENT == 3 && $#values )); then\n"
      "    compadd -- $values\n"
      "  else\n"
      "    _files\n"
      "  fi\n"
      "}}\n"
      "if [ \"$funcstack[1]\" = _picus ]; then _picus \"$@\"; else compdef _picus picus; fi\n",
      verbs, cases);
}

std::string fish_script(const std::vector<Words>& all) {
  std::string script =
      "# completion of picus for fish: put it into ~/.config/fish/completions/picus.fish\n";
  for (const Words& words : all) {
    script += fmt::format("complete -c picus -f -n __fish_use_subcommand -a {} -d '{}'\n",
                          words.verb, words.summary);
    const std::string seen = fmt::format("'__fish_seen_subcommand_from {}'", words.verb);
    for (const std::string& option : words.options) {
      const bool is_long = option.starts_with("--");
      script += fmt::format("complete -c picus -n {} -{} {}\n", seen, is_long ? 'l' : 's',
                            option.substr(is_long ? 2 : 1));
    }
    if (!words.values.empty())
      script +=
          fmt::format("complete -c picus -f -n {} -a '{}'\n", seen, fmt::join(words.values, " "));
  }
  return script;
}

}  // namespace

void describe_completion(CLI::App& verb, int&) {
  auto shell = std::make_shared<std::string>();
  verb.add_option("SHELL", *shell, "bash, zsh or fish")->required();
  verb.footer(
      "Examples:\n  source <(picus completion bash)\n"
      "  picus completion fish > ~/.config/fish/completions/picus.fish\n");
  verb.callback([shell, &verb] {
    const std::vector<Words> all = words_of(*verb.get_parent());
    if (*shell == "bash") {
      fmt::print("{}", bash_script(all));
    } else if (*shell == "zsh") {
      fmt::print("{}", zsh_script(all));
    } else if (*shell == "fish") {
      fmt::print("{}", fish_script(all));
    } else {
      throw InputError(unknown_name("shell", *shell, kShells));
    }
  });
}

}  // namespace picus::app
