// SPDX-License-Identifier: BSD-3-Clause
// picus new: a commented model to begin with.
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/overwrite.h"
#include "picus/base/output_file.h"

namespace picus::app {
namespace {

struct Template {
  std::string_view name, summary, text;
};

constexpr std::string_view kPendulum = R"(# A rod that swings about one end.
picus: 1
name: NAME
dimension: 2                # planar bodies: x, y, angle

parameters:                 # numbers with names; replace them with  picus run … --set L=2
  L: 1.0                    # length of the rod [m]
  m: 2.0                    # its mass [kg]

gravity: [0, -9.81]         # [m/s²]

bodies:
  rod:
    mass: m
    shape: {type: rod, length: L}        # gives the inertia and the picture
    at: [L/2, 0]                         # where its centre is at the start
    angle: 0                             # [rad]

joints:
  pin:                                   # 'picus list joints' shows the others
    type: revolute
    between: [ground, rod]
    at: [0, 0]                           # the common point, in space, at the start

run:
  end_time: 5               # [s]
  tolerance: 1e-6           # of each step; the step size follows from it
)";

constexpr std::string_view kOscillator = R"(# A mass on a spring and a damper, pushed by a force.
picus: 1
name: NAME
dimension: 2

parameters:
  k: 200.0                  # stiffness [N/m]
  c: 1.0                    # damping [N s/m]
  push: 5.0                 # amplitude of the force [N]

bodies:
  block:
    type: planar
    mass: 2.0
    inertia: [0.01]
    at: [1, 0]

joints:
  slide: {type: prismatic, between: [ground, block], at: [1, 0], axis: [1, 0]}

forces:
  spring: {type: spring_damper, between: [ground, block], stiffness: k, damping: c, length: 1}
  shaker: {type: force, body: block, force: [push*sin(8*time), 0]}   # formulas may use time

run:
  end_time: 5
)";

constexpr std::string_view kTop = R"(# A heavy top that spins about its own axis.
picus: 1
name: NAME

parameters:
  l: 0.1                    # from the tip to the centre [m]
  tilt: 30*deg
  spin: 200                 # [rad/s]

gravity: [0, 0, -9.81]

bodies:
  top:
    density: 7800           # with a shape, in place of mass and inertia [kg/m³]
    shape: {type: cylinder, radius: 0.05, length: 0.02}
    at: [l*sin(tilt), 0, l*cos(tilt)]
    rotations: [{axis: [0, 1, 0], angle: tilt}]
    spin: spin              # about the body's own z axis

joints:
  tip: {type: spherical, between: [ground, top], at: [0, 0, 0]}

run:
  end_time: 2
)";

constexpr std::string_view kBouncer = R"(# A disc that bounces, slides, rolls, and meets a wall.
picus: 1
name: NAME
dimension: 2

parameters:
  R: 0.1                    # radius of the disc [m]
  e: 0.6                    # restitution: speed after over speed before an impact
  mu: 0.3                   # friction: largest tangential force over normal force

gravity: [0, -9.81]

bodies:
  disc:
    density: 1000
    shape: {type: cylinder, radius: R, length: 0.05}
    at: [0, 0.5]
    velocity: [1.5, 0]
    spin: 10                # [rad/s], back spin

contacts:                   # 'picus list contacts' shows the others
  floor: {type: ball_on_plane, between: [ground, disc], restitution: e, friction: mu}
  wall:
    type: ball_on_plane
    between: [ground, disc]
    normal: [-1, 0]         # the side where the disc is
    height: -1              # of the plane above the origin, along the normal [m]
    restitution: e
    friction: mu

run:
  end_time: 4               # 'picus export NAME.h5 --impacts -' lists the impacts
)";

constexpr std::array kTemplates{
    Template{"pendulum", "a rod on a pin, planar", kPendulum},
    Template{"oscillator", "a mass on a spring and a damper, pushed by a formula", kOscillator},
    Template{"top", "a spinning top in space", kTop},
    Template{"bouncer", "a disc that bounces, slides and rolls, planar", kBouncer},
};

std::vector<std::string_view> template_names() {
  std::vector<std::string_view> names;
  names.reserve(kTemplates.size());
  for (const Template& entry : kTemplates)
    names.push_back(entry.name);
  return names;
}

const Template& find_template(std::string_view name) {
  for (const Template& entry : kTemplates)
    if (entry.name == name) return entry;
  throw InputError(unknown_name("template", name, template_names()));
}

void write_model(const std::string& name, const std::string& template_name, bool force) {
  std::filesystem::path path(name);
  if (!path.has_extension()) path += ".yaml";
  guard_output({path, OutputKind::kModel}, {}, force);
  std::string text(find_template(template_name).text);
  const std::string mark = "name: NAME";
  text.replace(text.find(mark), mark.size(), fmt::format("name: \"{}\"", path.stem().string()));
  write_file(path, text);
  fmt::print("wrote {0}; next:\n  picus check {0}\n  picus run {0}\n", path.string());
}

}  // namespace

void describe_new(CLI::App& verb, int&) {
  struct Arguments {
    std::string name, template_name = "pendulum";
    bool force = false;
  };
  auto arguments = std::make_shared<Arguments>();
  verb.add_option("NAME", arguments->name, "File to write; .yaml is added when it has no ending")
      ->required();
  verb.add_option("-t,--template", arguments->template_name,
                  fmt::format("{}", fmt::join(template_names(), ", ")))
      ->capture_default_str();
  verb.add_flag("--force", arguments->force, "Overwrite a file of that name");
  std::string templates;
  for (const Template& entry : kTemplates)
    templates += fmt::format("  {:<12}{}\n", entry.name, entry.summary);
  verb.footer(
      fmt::format("Templates:\n{}\nExamples:\n  picus new swing\n"
                  "  picus new shaker.yaml --template oscillator\n",
                  templates));
  verb.callback(
      [arguments] { write_model(arguments->name, arguments->template_name, arguments->force); });
}

}  // namespace picus::app
