// SPDX-License-Identifier: BSD-3-Clause
// picus manual: pages for man, from the help texts of the program.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/picus/commands/commands.h"
#include "picus/base/error.h"
#include "picus/base/output_file.h"
#include "picus/base/version.h"

namespace picus::app {
namespace {

// As roff reads it: a backslash and a hyphen are commands, and so is a dot that begins a line.
std::string roff(std::string_view text) {
  std::string result;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) result += "\\&";
    begins_line = c == '\n';
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

// Whether the option stands in the help.
bool is_shown(const CLI::Option& option) {
  return !option.get_group().empty();
}

std::string synopsis_of(const CLI::App& verb) {
  std::string text = fmt::format(".B picus {}\n[OPTIONS]", roff(verb.get_name()));
  for (const CLI::Option* option : verb.get_options()) {
    if (!option->get_positional() || !is_shown(*option)) continue;
    const std::string name = option->get_name(true, false);
    const char* more = option->get_items_expected_max() > 1 ? "…" : "";
    text += option->get_required() ? fmt::format(" {}{}", name, more)
                                   : fmt::format(" [{}{}]", name, more);
  }
  return text + "\n";
}

// "-o, --out VALUE" and what it means.
std::string entry_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames())
    names.push_back(fmt::format("\\fB{}\\fR", roff("-" + name)));
  for (const std::string& name : option.get_lnames())
    names.push_back(fmt::format("\\fB{}\\fR", roff("--" + name)));
  std::string head = option.get_positional()
                         ? fmt::format("\\fI{}\\fR", roff(option.get_name(true, false)))
                         : fmt::format("{}", fmt::join(names, ", "));
  if (!option.get_positional() && option.get_items_expected_max() > 0)
    head += fmt::format(" \\fI{}\\fR", option.get_items_expected_max() > 1 ? "VALUE…" : "VALUE");
  std::string meaning = option.get_description();
  if (!option.get_default_str().empty())
    meaning += fmt::format(" (default: {})", option.get_default_str());
  return fmt::format(".TP\n{}\n{}\n", head, roff(meaning));
}

std::string options_of(const CLI::App& verb) {
  std::string arguments, options;
  for (const CLI::Option* option : verb.get_options())
    if (is_shown(*option)) (option->get_positional() ? arguments : options) += entry_of(*option);
  std::string text;
  if (!arguments.empty()) text += ".SH ARGUMENTS\n" + arguments;
  if (!options.empty()) text += ".SH OPTIONS\n" + options;
  return text;
}

// Footers of the help: sections with a title that ends in a colon, and plain sentences.
std::string sections_of(std::string_view footer) {
  std::string text;
  std::size_t begin = 0;
  bool open = false;  // whether lines are shown as they are
  while (begin < footer.size()) {
    const std::size_t end = std::min(footer.find('\n', begin), footer.size());
    const std::string_view line = footer.substr(begin, end - begin);
    begin = end + 1;
    const bool is_title = line.ends_with(':') && !line.starts_with(' ');
    const bool is_plain = !is_title && !line.empty() && !line.starts_with(' ');
    if (open && (is_title || is_plain)) text += ".EE\n";
    if (is_title) {
      std::string title(line.substr(0, line.size() - 1));
      for (char& c : title)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      text += fmt::format(".SH {}\n.EX\n", roff(title));
    } else if (is_plain) {
      text += fmt::format(".SH NOTES\n{}\n", roff(line));
    } else if (!line.empty()) {
      text += roff(line) + "\n";
    }
    open = is_title || (open && !is_plain);
  }
  return open ? text + ".EE\n" : text;
}

std::string head_of(const std::string& name, const std::string& summary) {
  std::string title = name;
  for (char& c : title)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return fmt::format(".TH {} 1 \"\" \"Picus {}\" \"Picus\"\n.SH NAME\n{} \\- {}\n", roff(title),
                     version(), roff(name), roff(summary));
}

std::string page_of_verb(const CLI::App& verb) {
  return head_of("picus-" + verb.get_name(), verb.get_description()) + ".SH SYNOPSIS\n" +
         synopsis_of(verb) + options_of(verb) + sections_of(verb.get_footer()) +
         ".SH SEE ALSO\n.BR picus (1)\n";
}

std::string page_of_program(const CLI::App& app) {
  std::string text = head_of("picus", app.get_description()) +
                     ".SH SYNOPSIS\n.B picus\nVERB [OPTIONS] [ARGUMENTS]\n.SH VERBS\n";
  for (const CLI::App* verb : app.get_subcommands({}))
    text += fmt::format(".TP\n.BR picus\\-{} (1)\n{}\n", roff(verb->get_name()),
                        roff(verb->get_description()));
  return text + options_of(app) + sections_of(app.get_footer());
}

void write_pages(const CLI::App& app, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw WriteError(
        fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  write_file(folder / "picus.1", page_of_program(app));
  for (const CLI::App* verb : app.get_subcommands({}))
    write_file(folder / fmt::format("picus-{}.1", verb->get_name()), page_of_verb(*verb));
}

}  // namespace

void describe_manual(CLI::App& verb, int&) {
  struct Arguments {
    std::string verb, folder;
  };
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("VERB", arguments->verb, "A verb; without it the page of the program");
  verb.add_option("--all", arguments->folder, "Write all pages into this folder");
  verb.footer(
      "Examples:\n  picus manual run | man -l -\n  picus manual --all ~/.local/share/man/man1\n");
  verb.callback([arguments, &verb] {
    const CLI::App& app = *verb.get_parent();
    if (!arguments->folder.empty()) return write_pages(app, arguments->folder);
    if (arguments->verb.empty()) {
      fmt::print("{}", page_of_program(app));
      return;
    }
    std::vector<std::string_view> names;
    for (const Verb& entry : verb_table()) {
      names.emplace_back(entry.name);
      if (entry.name == arguments->verb)
        fmt::print("{}", page_of_verb(*app.get_subcommand(arguments->verb)));
    }
    if (std::find(names.begin(), names.end(), arguments->verb) == names.end())
      throw InputError(unknown_name("verb", arguments->verb, names));
  });
}

}  // namespace picus::app
