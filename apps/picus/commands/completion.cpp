// SPDX-License-Identifier: BSD-3-Clause
// picus completion: scripts for shells. They ask the program what may stand where, so that they
// know the channels of a result and the parameters of a model.
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/completion_words.h"
#include "picus/base/error.h"
#include "picus/base/text.h"

namespace picus::app {
namespace {

constexpr std::array<std::string_view, 3> kShells{"bash", "zsh", "fish"};

// Lines are a word, a tab and its meaning; or ":files yaml yml", ":files" for any.
constexpr const char* kBash = R"shell(# completion of picus for bash: source this, or put it into
# ~/.local/share/bash-completion/completions/picus
_picus() {
  local current=${COMP_WORDS[COMP_CWORD]} line ending
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current") ;;
      :files*)
        for ending in ${line#:files}; do
          while IFS= read -r line; do
            COMPREPLY+=("$line")
          done < <(compgen -f -X "!*.$ending" -- "$current")
        done
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$current") ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o filenames -F _picus picus
)shell";

constexpr const char* kZsh = R"shell(#compdef picus
# completion of picus for zsh: put it into a folder of $fpath as _picus
_picus() {
  local line
  local -a found described globs
  found=("${(@f)$("$words[1]" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${found[@]}"; do
    case $line in
      :files) _files ;;
      :files*) globs=(${=line#:files}); _files -g "*.(${(j:|:)globs})" ;;
      ?*) described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done
  (( $#described )) && _describe -V word described -S '' -q
}
if [ "$funcstack[1]" = _picus ]; then _picus "$@"; else compdef _picus picus; fi
)shell";

constexpr const char* kFish =
    R"shell(# completion of picus for fish: put it into ~/.config/fish/completions/picus.fish
function __picus_words
  set -l words (commandline -opc) (commandline -ct)
  for line in ($words[1] completion words -- $words[2..-1] 2>/dev/null)
    switch $line
      case ':files'
        __fish_complete_path (commandline -ct)
      case ':files*'
        for ending in (string split ' ' -- (string sub -s 8 -- $line))
          __fish_complete_suffix .$ending
        end
      case '*'
        echo $line
    end
  end
end
complete -c picus -f -a '(__picus_words)'
)shell";

void print_words(const CLI::App& app, const std::vector<std::string>& words) {
  const Completion completion = complete(app, words);
  for (const CompletionWord& word : completion.words)
    fmt::print("{}{}{}\n", printable(word.text), word.meaning.empty() ? "" : "\t",
               printable(word.meaning));
  if (completion.any_file)
    fmt::print(":files\n");
  else if (!completion.endings.empty())
    fmt::print(":files {}\n", fmt::join(completion.endings, " "));
}

}  // namespace

void describe_completion(CLI::App& verb, int&) {
  struct Arguments {
    std::string shell;
    std::vector<std::string> words;
  };
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("SHELL", arguments->shell, "bash, zsh or fish")->required();
  // for the scripts: picus completion words -- run model.yaml --integ
  verb.add_option("WORDS", arguments->words)->group("");
  verb.footer(
      "Examples:\n  source <(picus completion bash)\n"
      "  picus completion fish > ~/.config/fish/completions/picus.fish\n");
  verb.callback([arguments, &verb] {
    if (arguments->shell == "words")
      print_words(*verb.get_parent(), arguments->words);
    else if (arguments->shell == "bash")
      fmt::print("{}", kBash);
    else if (arguments->shell == "zsh")
      fmt::print("{}", kZsh);
    else if (arguments->shell == "fish")
      fmt::print("{}", kFish);
    else
      throw InputError(unknown_name("shell", arguments->shell, kShells));
  });
}

}  // namespace picus::app
