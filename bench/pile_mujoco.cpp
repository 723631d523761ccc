// SPDX-License-Identifier: BSD-3-Clause
#include "bench/pile_engine.h"

#if __has_include(<mujoco/mujoco.h>)

#include <cstring>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

namespace picus::bench {
namespace {

// Contacts are soft: what its solver minimises is another problem, with the defaults of its
// stiffness. Cones are elliptic, as those of Coulomb.
// Room for each ball. It keeps the square of all rows and counts bytes by an int: there is no more
// for a thousand balls.
constexpr int kRows = 8, kContacts = 4;
// Disks are spheres with the inertia of a disk and three joints: along x, along y, about z.
constexpr std::string_view kFree = "<freejoint/>",
                           kInPlane =
                               "<joint type='slide' axis='1 0 0'/><joint type='slide' "
                               "axis='0 1 0'/><joint type='hinge' axis='0 0 1'/>";

class MujocoPile final : public PileEngine {
 public:
  MujocoPile(const problems::Pile& pile, double h, const std::string& solver)
      : PileEngine(h),
        solver_(solver),
        balls_(pile.balls),
        walls_(static_cast<int>(pile.walls().size())),
        in_space_(pile.in_space) {
    const Vector3 g = -pile.gravity * pile.up();
    std::string text = fmt::format(
        "<mujoco><option timestep='{:.17g}' gravity='{} {} {:.17g}' cone='elliptic' solver='{}'/>"
        "<size njmax='{}' nconmax='{}' nstack='{}'/><default><geom friction='{:.17g} 0 0' "
        "condim='3'/></default><worldbody>",
        h, g(0), g(1), g(2), solver, kRows * balls_, kContacts * balls_, 260'000'000,
        pile.friction);
    for (const auto& [point, normal] : pile.walls())
      text += fmt::format("<geom type='plane' size='0 0 1' pos='{} {} {}' zaxis='{} {} {}'/>",
                          point(0), point(1), point(2), normal(0), normal(1), normal(2));
    for (const problems::Pile::Ball& ball : pile.start())
      text += fmt::format(
          "<body pos='{:.17g} {:.17g} {:.17g}'>{}<inertial pos='0 0 0' mass='{:.17g}' "
          "diaginertia='{:.17g} {:.17g} {:.17g}'/><geom type='sphere' size='{:.17g}'/></body>",
          ball.centre(0), ball.centre(1), ball.centre(2), in_space_ ? kFree : kInPlane, ball.mass,
          ball.inertia, ball.inertia, ball.inertia, ball.radius);
    text += "</worldbody></mujoco>";
    const auto disk = std::make_unique<mjVFS>();
    mj_defaultVFS(disk.get());
    mj_makeEmptyFileVFS(disk.get(), "pile.xml", static_cast<int>(text.size()));
    std::memcpy(disk->filedata[mj_findFileVFS(disk.get(), "pile.xml")], text.data(), text.size());
    std::string error(1000, '\0');
    model_ = mj_loadXML("pile.xml", disk.get(), error.data(), static_cast<int>(error.size()));
    mj_deleteVFS(disk.get());
    if (model_ == nullptr) throw std::runtime_error(error.c_str());
    data_ = mj_makeData(model_);
  }
  ~MujocoPile() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  MujocoPile(const MujocoPile&) = delete;
  MujocoPile& operator=(const MujocoPile&) = delete;

  std::string name() const override { return "MuJoCo"; }
  std::string setting() const override { return solver_; }
  double attempt() override {
    mj_step(model_, data_);
    const bool is_good = data_->warning[mjWARN_BADQACC].number == 0 &&
                         data_->warning[mjWARN_CONTACTFULL].number == 0 &&
                         data_->warning[mjWARN_CNSTRFULL].number == 0;
    return is_good ? step_ : -1.0;
  }
  // a free joint has x, y, z and a quaternion, and velocities with ω in the body's frame; slides
  // begin where the ball was at the start
  Vector3 centre(int i) const override {
    if (in_space_) return Vector3(data_->qpos + 7 * i);
    return Vector3(model_->body_pos + 3 * (i + 1)) +
           Vector3(data_->qpos[3 * i], data_->qpos[3 * i + 1], 0.0);
  }
  Vector3 velocity(int i) const override {
    if (in_space_) return Vector3(data_->qvel + 6 * i);
    return Vector3(data_->qvel[3 * i], data_->qvel[3 * i + 1], 0.0);
  }
  Vector3 turn(int i) const override {
    if (!in_space_) return data_->qvel[3 * i + 2] * Vector3::UnitZ();
    const Quaternion p(data_->qpos + 7 * i + 3);
    return rotation_matrix(p) * Vector3(data_->qvel + 6 * i + 3);
  }
  void contacts(std::vector<PileContact>& result) const override {
    for (int k = 0; k < data_->ncon; ++k) {
      const mjContact& c = data_->contact[k];
      mjtNum force[6];
      mj_contactForce(model_, data_, k, force);
      // axes of the frame are its rows; the first is the normal, from geom 1 to geom 2
      Vector3 impulse = Vector3::Zero();
      for (int axis = 0; axis < 3; ++axis)
        impulse += step_ * force[axis] * Vector3(c.frame + 3 * axis);
      const int a = c.geom1 - walls_, b = c.geom2 - walls_;  // walls were made first
      if (b >= 0) result.push_back({b, a >= 0 ? a : -1 - c.geom1, impulse});
    }
  }

 private:
  std::string solver_;
  int balls_, walls_;
  bool in_space_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

}  // namespace

std::unique_ptr<PileEngine> make_mujoco_pile(const problems::Pile& pile, double h,
                                             const std::string& solver) {
  return std::make_unique<MujocoPile>(pile, h, solver);
}

}  // namespace picus::bench

#else

namespace picus::bench {

std::unique_ptr<PileEngine> make_mujoco_pile(const problems::Pile&, double, const std::string&) {
  return nullptr;
}

}  // namespace picus::bench

#endif
