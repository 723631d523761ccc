// SPDX-License-Identifier: BSD-3-Clause
#include "picus/report/study_page.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "picus/base/version.h"
#include "picus/report/page_template.h"

namespace picus::report {
namespace {

std::string badge(const StudyPage& study) {
  const bool holds = study.holding() == static_cast<long>(study.claims.size());
  return fmt::format(R"(<span class="badge {}">{} of {} claims hold</span>)",
                     holds ? "good" : "bad", study.holding(), study.claims.size());
}

// Without what only stands at the head of a file.
std::string inner_svg(const std::string& svg) {
  const std::size_t begin = svg.find("<svg");
  return begin == std::string::npos ? svg : svg.substr(begin);
}

std::string footer() {
  return fmt::format("<footer>Made by Picus {} from its own data.</footer>\n", version());
}

void add_claims(const StudyPage& study, std::string& body) {
  body +=
      "<h2>Claims</h2>\n<table><thead><tr><th>claim</th><th class=\"number\">found</th>"
      "<th>wanted</th><th></th></tr></thead><tbody>\n";
  for (const StudyClaim& claim : study.claims)
    fmt::format_to(std::back_inserter(body),
                   "<tr><td>{}</td><td class=\"number\">{:.4g}</td><td>{}</td>"
                   "<td><span class=\"badge {}\">{}</span></td></tr>\n",
                   escaped(claim.claim), claim.value, escaped(claim.wanted),
                   claim.holds ? "good" : "bad", claim.holds ? "holds" : "fails");
  body += "</tbody></table>\n";
  for (const std::string& note : study.notes)
    body += "<p>" + escaped(note) + "</p>\n";
}

void add_figure(const StudyFigure& figure, std::string& body) {
  body += "<div class=\"figure\">" + inner_svg(figure.svg) + "</div>\n";
  if (figure.slopes.empty()) return;
  body +=
      "<table><thead><tr><th>panel</th><th>curve</th><th class=\"number\">slope</th></tr></thead>"
      "<tbody>\n";
  for (const StudySlope& slope : figure.slopes)
    fmt::format_to(std::back_inserter(body),
                   "<tr><td>{}</td><td>{}</td><td class=\"number\">{:.2f}</td></tr>\n",
                   escaped(slope.panel), escaped(slope.curve), slope.slope);
  body += "</tbody></table>\n";
}

std::string page_about(const std::string& title, const std::string& body) {
  return filled(filled(study_template(), "<!--picus:title-->", escaped(title)), "<!--picus:body-->",
                body);
}

}  // namespace

long StudyPage::holding() const {
  return std::count_if(claims.begin(), claims.end(), [](const StudyClaim& c) { return c.holds; });
}

std::string study_page(const StudyPage& study) {
  std::string body = fmt::format(
      "<p class=\"faint\"><a href=\"../index.html\">all studies</a> · {}</p>\n<h1>{}</h1>\n"
      "<p>{}</p>\n<p>{} <span class=\"faint\">{:.1f} s, picus reproduce {}</span></p>\n",
      escaped(study.paper), escaped(study.id), escaped(study.title), badge(study), study.seconds,
      escaped(study.id));
  for (const StudyFigure& figure : study.figures)
    add_figure(figure, body);
  add_claims(study, body);
  if (!study.files.empty()) {
    body += "<h2>Data</h2>\n<p>";
    for (const std::string& file : study.files)
      body += fmt::format("<a href=\"{0}\">{0}</a> &ensp; ", escaped(file));
    body += "</p>\n";
  }
  return page_about(study.id + " – Picus", body + footer());
}

std::string gallery_page(const std::vector<StudyPage>& studies) {
  long claims = 0, holding = 0;
  std::string cards;
  for (const StudyPage& study : studies) {
    claims += static_cast<long>(study.claims.size());
    holding += study.holding();
    fmt::format_to(std::back_inserter(cards),
                   "<a class=\"card\" href=\"{0}/index.html\"><div class=\"picture\">{1}</div>"
                   "<div class=\"words\"><h3>{0}</h3><p>{2}</p><p>{3}</p>{4}</div></a>\n",
                   escaped(study.id),
                   study.figures.empty() ? "" : inner_svg(study.figures.front().svg),
                   escaped(study.title), escaped(study.paper), badge(study));
  }
  return page_about(
      "Picus: experiments of the papers",
      fmt::format("<h1>Experiments of the papers</h1>\n<p>{} studies, repeated by <code>"
                  "picus reproduce all</code>; <span class=\"badge {}\">{} of {} claims "
                  "hold</span></p>\n<div class=\"cards\">\n{}</div>\n{}",
                  studies.size(), holding == claims ? "good" : "bad", holding, claims, cards,
                  footer()));
}

}  // namespace picus::report
