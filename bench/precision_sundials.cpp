// SPDX-License-Identifier: BSD-3-Clause
// Event-driven integration with SUNDIALS: every root ends the smooth equations, which start anew
// behind it.
#include <algorithm>
#include <exception>
#include <memory>
#include <vector>

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "bench/hybrid_problems.h"
#include "bench/process_time.h"

namespace picus::bench {
namespace {

// Velocities are not small where positions are: one absolute tolerance serves all.
constexpr double kAbsolutePart = 1e-2;

/// What both integrators call.
struct Equations {
  const HybridProblem& problem;
  long evaluations = 0;

  static int rate(realtype, N_Vector y, N_Vector dy, void* data) {
    Equations& self = *static_cast<Equations*>(data);
    ++self.evaluations;
    self.problem.rate(N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
  }
  static int roots(realtype, N_Vector y, realtype* g, void* data) {
    static_cast<Equations*>(data)->problem.root_functions(N_VGetArrayPointer(y), g);
    return 0;
  }
};

enum class Stop { kStep, kRoot, kEnd, kFailure };

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// One step from where it is.
  virtual Stop step(double end, double& time) = 0;
  virtual void root_info(int* fired) = 0;
  /// The smooth equations start anew at this time, with the y of now.
  virtual void restart(double time) = 0;
};

struct Setting {
  SUNContext context;
  N_Vector y;
  double tolerance, end;
  int roots;
};

class Explicit final : public Integrator {
 public:
  Explicit(const Setting& s, Equations& equations, ARKODE_ERKTableID table)
      : setting_(s), memory_(ERKStepCreate(Equations::rate, 0.0, s.y, s.context)) {
    ERKStepSStolerances(memory_, s.tolerance, kAbsolutePart * s.tolerance);
    ERKStepSetUserData(memory_, &equations);
    ERKStepSetTableNum(memory_, table);
    ERKStepRootInit(memory_, s.roots, Equations::roots);
    ERKStepSetErrFile(memory_, nullptr);
    prepare();
  }
  Explicit(const Explicit&) = delete;
  Explicit& operator=(const Explicit&) = delete;
  ~Explicit() override { ERKStepFree(&memory_); }

  Stop step(double end, double& time) override {
    const int status = ERKStepEvolve(memory_, end, setting_.y, &time, ARK_ONE_STEP);
    return status == ARK_ROOT_RETURN    ? Stop::kRoot
           : status == ARK_TSTOP_RETURN ? Stop::kEnd
           : status == ARK_SUCCESS      ? Stop::kStep
                                        : Stop::kFailure;
  }
  void root_info(int* fired) override { ERKStepGetRootInfo(memory_, fired); }
  void restart(double time) override {
    ERKStepReInit(memory_, Equations::rate, time, setting_.y);
    prepare();
  }

 private:
  void prepare() {
    std::vector<int> falling(static_cast<std::size_t>(setting_.roots), -1);
    ERKStepSetRootDirection(memory_, falling.data());
    ERKStepSetNoInactiveRootWarn(memory_);
    ERKStepSetStopTime(memory_, setting_.end);
  }

  Setting setting_;
  void* memory_;
};

class Adams final : public Integrator {
 public:
  Adams(const Setting& s, Equations& equations)
      : setting_(s),
        memory_(CVodeCreate(CV_ADAMS, s.context)),
        solver_(SUNNonlinSol_FixedPoint(s.y, 0, s.context)) {
    CVodeInit(memory_, Equations::rate, 0.0, s.y);
    CVodeSStolerances(memory_, s.tolerance, kAbsolutePart * s.tolerance);
    CVodeSetUserData(memory_, &equations);
    CVodeSetNonlinearSolver(memory_, solver_);
    CVodeRootInit(memory_, s.roots, Equations::roots);
    CVodeSetErrFile(memory_, nullptr);
    prepare();
  }
  Adams(const Adams&) = delete;
  Adams& operator=(const Adams&) = delete;
  ~Adams() override {
    CVodeFree(&memory_);
    SUNNonlinSolFree(solver_);
  }

  Stop step(double end, double& time) override {
    const int status = CVode(memory_, end, setting_.y, &time, CV_ONE_STEP);
    return status == CV_ROOT_RETURN    ? Stop::kRoot
           : status == CV_TSTOP_RETURN ? Stop::kEnd
           : status == CV_SUCCESS      ? Stop::kStep
                                       : Stop::kFailure;
  }
  void root_info(int* fired) override { CVodeGetRootInfo(memory_, fired); }
  void restart(double time) override {
    CVodeReInit(memory_, time, setting_.y);
    prepare();
  }

 private:
  void prepare() {
    std::vector<int> falling(static_cast<std::size_t>(setting_.roots), -1);
    CVodeSetRootDirection(memory_, falling.data());
    CVodeSetNoInactiveRootWarn(memory_);
    CVodeSetStopTime(memory_, setting_.end);
  }

  Setting setting_;
  void* memory_;
  SUNNonlinearSolver solver_;
};

std::unique_ptr<Integrator> make_integrator(const Setting& setting, Equations& equations,
                                            SundialsMethod method) {
  if (method == SundialsMethod::kAdams) return std::make_unique<Adams>(setting, equations);
  return std::make_unique<Explicit>(
      setting, equations,
      method == SundialsMethod::kFehlberg8 ? ARKODE_FEHLBERG_13_7_8 : ARKODE_DORMAND_PRINCE_7_4_5);
}

EngineRun solve(HybridProblem& problem, SundialsMethod method, double tolerance, double end) {
  EngineRun run;
  const double begin = process_seconds();
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector y = N_VNew_Serial(problem.states(), context);
  problem.start(N_VGetArrayPointer(y));
  problem.note(0.0, N_VGetArrayPointer(y), run.path);
  Equations equations{problem};
  std::vector<int> fired(static_cast<std::size_t>(problem.roots()));
  {
    const auto integrator =
        make_integrator({context, y, tolerance, end, problem.roots()}, equations, method);
    // within rounding of the end there is nothing left to integrate
    for (double time = 0.0; time < end * (1.0 - 1e-14);) {
      const Stop stop = integrator->step(end, time);
      if (stop == Stop::kFailure) {
        run.trouble = "the integrator gave up at " + std::to_string(time) + " s";
        break;
      }
      problem.note(time, N_VGetArrayPointer(y), run.path);
      ++run.steps;
      if (stop != Stop::kRoot) continue;
      integrator->root_info(fired.data());
      const auto root =
          std::find_if(fired.begin(), fired.end(), [](int sign) { return sign != 0; });
      try {
        problem.pass(static_cast<int>(root - fired.begin()), N_VGetArrayPointer(y));
      } catch (const std::exception& error) {
        run.trouble = error.what();
        break;
      }
      integrator->restart(time);
    }
  }
  N_VDestroy(y);
  SUNContext_Free(&context);
  run.seconds = process_seconds() - begin;
  run.evaluations = equations.evaluations;
  return run;
}

}  // namespace

EngineRun sundials_events(const OneCoordinate& problem, SundialsMethod method, double tolerance) {
  return solve(*make_hybrid(problem, tolerance), method, tolerance, problem.end);
}
EngineRun sundials_events(const WallPendulum& problem, SundialsMethod method, double tolerance) {
  return solve(*make_hybrid(problem, tolerance), method, tolerance, problem.end);
}
EngineRun sundials_events(const ThreeContacts& problem, SundialsMethod method, double tolerance) {
  return solve(*make_hybrid(problem, tolerance), method, tolerance, problem.end);
}

}  // namespace picus::bench
