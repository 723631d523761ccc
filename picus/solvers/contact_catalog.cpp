// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/contact_catalog.h"

#include "picus/base/error.h"

namespace picus {
namespace {

// A maker that reads its own options.
template <class Options, std::unique_ptr<ContactSolver> (*Maker)(const Options&)>
std::unique_ptr<ContactSolver> make_by_name(const OptionValues& values) {
  return Maker(read_options<Options>(values));
}

template <class Options, std::unique_ptr<ContactSolver> (*Maker)(const Options&)>
constexpr ContactSolverEntry solver_entry(std::string_view name, std::string_view summary) {
  return {name, summary, &make_by_name<Options, Maker>, &describe_fields<Options>};
}

constexpr ContactSolverEntry kContactSolvers[] = {
    solver_entry<ProjectionOptions, make_projected_jacobi>(
        "projected_jacobi", "projection, all contacts at once [studer-leine-glocker (22)]"),
    solver_entry<ProjectionOptions, make_projected_gauss_seidel>(
        "projected_gauss_seidel",
        "projection, one contact after another [studer-leine-glocker (23)]"),
    solver_entry<GaussSeidelOptions, make_nonsmooth_gauss_seidel>(
        "nonsmooth_gauss_seidel", "one contact after another, each solved exactly [Jean1999]"),
    solver_entry<SemismoothOptions, make_semismooth_newton>(
        "semismooth_newton", "Newton on all contacts, Gauss-Seidel if it fails [AlartCurnier1991]"),
    solver_entry<InteriorPointOptions, make_interior_point>(
        "interior_point",
        "all contacts at once through the interior of the cones [AlizadehGoldfarb2003]"),
    solver_entry<PivotingOptions, make_proximal_pivoting>(
        "proximal_pivoting", "all contacts at once, piece by piece along paths [DirkseFerris1995]"),
    solver_entry<AutomaticOptions, make_automatic_contact_solver>(
        "automatic", "Newton for few contacts; for many, sweeps, then pivoting where needed"),
    solver_entry<LemkeOptions, make_lemke>(
        "lemke", "direct and dense, polygonal friction cone: a reference [StewartTrinkle1996]"),
};

}  // namespace

std::span<const ContactSolverEntry> contact_solver_catalog() {
  return kContactSolvers;
}

std::unique_ptr<ContactSolver> make_contact_solver(std::string_view name,
                                                   const OptionValues& options) {
  for (const ContactSolverEntry& candidate : kContactSolvers)
    if (candidate.name == name) return candidate.make(options);
  std::vector<std::string_view> names;
  for (const ContactSolverEntry& candidate : kContactSolvers)
    names.push_back(candidate.name);
  throw InputError(unknown_name("contact solver", name, names));
}

}  // namespace picus
