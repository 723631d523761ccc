// SPDX-License-Identifier: BSD-3-Clause
#include "bench/ball_chain.h"

#if __has_include(<mujoco/mujoco.h>)

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "bench/session.h"

namespace picus::bench {
namespace {

constexpr int kDepth = 80;  // its reader of XML refuses deeper nesting, so files include files

std::string file_name(int first_link) {
  return fmt::format("link{}.xml", first_link);
}

// The links from one on, each within the one before.
std::string links_from(const BallChain& chain, int first) {
  const int end = std::min(first + kDepth, chain.links);
  const double L = chain.link_length();
  std::string text;
  for (int i = first; i < end; ++i)
    text += fmt::format(
        "<body pos='{:.17g} 0 0'><inertial pos='{:.17g} 0 0' mass='{:.17g}' "
        "diaginertia='{:.17g} {:.17g} {:.17g}'/><joint type='ball'/>",
        i == 0 ? 0.0 : L, 0.5 * L, chain.link_mass(), chain.axial_inertia(),
        chain.lateral_inertia(), chain.lateral_inertia());
  text += end < chain.links ? fmt::format("<include file='{}'/>", file_name(end))
                            : fmt::format("<site name='tip' pos='{:.17g} 0 0'/>", L);
  for (int i = first; i < end; ++i)
    text += "</body>";
  return text;
}

struct Freed {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};

std::unique_ptr<mjModel, Freed> load(const BallChain& chain) {
  std::map<std::string, std::string> files;
  // no joint has a limit and nothing touches: nothing is left of its soft constraints; light links
  // are wanted, not a mistake
  files["chain.xml"] = fmt::format(
      "<mujoco><compiler boundmass='0' boundinertia='0'/>"
      "<option gravity='0 0 {:.17g}'><flag contact='disable' constraint='disable'/></option>"
      "<size njmax='1' nconmax='1' nstack='50000000'/><worldbody>{}</worldbody></mujoco>",
      -chain.gravity, links_from(chain, 0));
  for (int i = kDepth; i < chain.links; i += kDepth)
    files[file_name(i)] = "<mujocoinclude>" + links_from(chain, i) + "</mujocoinclude>";
  const auto disk = std::make_unique<mjVFS>();
  mj_defaultVFS(disk.get());
  for (const auto& [name, text] : files) {
    mj_makeEmptyFileVFS(disk.get(), name.c_str(), static_cast<int>(text.size()));
    std::memcpy(disk->filedata[mj_findFileVFS(disk.get(), name.c_str())], text.data(), text.size());
  }
  std::string error(1000, '\0');
  std::unique_ptr<mjModel, Freed> model(
      mj_loadXML("chain.xml", disk.get(), error.data(), static_cast<int>(error.size())));
  mj_deleteVFS(disk.get());
  if (!model) throw std::runtime_error(error.c_str());
  return model;
}

mjtIntegrator integrator_of(const std::string& method) {
  if (method == "RK4") return mjINT_RK4;
  return method == "implicit" ? mjINT_IMPLICIT : mjINT_EULER;
}

}  // namespace

// Joint coordinates, mass matrix by composite bodies and its sparse factorisation, constant steps.
std::optional<ChainRun> run_mujoco(const BallChain& chain, const ChainSetting& setting) {
  const auto model = load(chain);
  model->opt.timestep = setting.accuracy;
  model->opt.integrator = integrator_of(setting.method);
  const std::unique_ptr<mjData, Freed> data(mj_makeData(model.get()));
  data->qvel[2] = chain.spin;
  ChainRun run{.engine = "MuJoCo, " + setting.method,
               .setting = fmt::format("h = {:g}", setting.accuracy)};
  const long between = std::lround(chain.end / chain.samples / setting.accuracy);
  const auto record = [&] {
    mj_kinematics(model.get(), data.get());
    run.tip.push_back({data->site_xpos[0], data->site_xpos[1], data->site_xpos[2]});
  };
  record();
  const double begin = cpu_seconds();
  for (int i = 1; i <= chain.samples; ++i) {
    for (long k = 0; k < between; ++k)
      mj_step(model.get(), data.get());
    record();
  }
  run.seconds = cpu_seconds() - begin;
  run.ok = data->warning[mjWARN_BADQACC].number == 0 && data->warning[mjWARN_BADQPOS].number == 0 &&
           data->warning[mjWARN_BADQVEL].number == 0;
  run.steps = between * chain.samples;
  run.evaluations = run.steps * (setting.method == "RK4" ? 4 : 1);
  run.matrices = run.evaluations;
  return run;
}

}  // namespace picus::bench

#else

namespace picus::bench {

std::optional<ChainRun> run_mujoco(const BallChain&, const ChainSetting&) {
  return std::nullopt;
}

}  // namespace picus::bench

#endif
