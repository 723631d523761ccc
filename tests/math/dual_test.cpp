// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/dual.h"

#include <gtest/gtest.h>

namespace picus {
namespace {

// Every function with its first and second derivative, written by hand.
struct Function {
  const char* name;
  std::function<Dual<1, Dual<1>>(const Dual<1, Dual<1>>&)> f;
  std::function<double(double)> value, first, second;
};

TEST(Dual, FunctionsHaveTheirDerivatives) {
  using D = Dual<1, Dual<1>>;
  const Function functions[] = {
      {"sin", [](const D& x) { return sin(x); }, [](double x) { return std::sin(x); },
       [](double x) { return std::cos(x); }, [](double x) { return -std::sin(x); }},
      {"cos", [](const D& x) { return cos(x); }, [](double x) { return std::cos(x); },
       [](double x) { return -std::sin(x); }, [](double x) { return -std::cos(x); }},
      {"tan", [](const D& x) { return tan(x); }, [](double x) { return std::tan(x); },
       [](double x) { return 1 / std::pow(std::cos(x), 2); },
       [](double x) { return 2 * std::tan(x) / std::pow(std::cos(x), 2); }},
      {"asin", [](const D& x) { return asin(x); }, [](double x) { return std::asin(x); },
       [](double x) { return 1 / std::sqrt(1 - x * x); },
       [](double x) { return x / std::pow(1 - x * x, 1.5); }},
      {"acos", [](const D& x) { return acos(x); }, [](double x) { return std::acos(x); },
       [](double x) { return -1 / std::sqrt(1 - x * x); },
       [](double x) { return -x / std::pow(1 - x * x, 1.5); }},
      {"atan", [](const D& x) { return atan(x); }, [](double x) { return std::atan(x); },
       [](double x) { return 1 / (1 + x * x); },
       [](double x) { return -2 * x / std::pow(1 + x * x, 2); }},
      {"atan2", [](const D& x) { return atan2(x, D(2.0)); },
       [](double x) { return std::atan2(x, 2.0); }, [](double x) { return 2 / (4 + x * x); },
       [](double x) { return -4 * x / std::pow(4 + x * x, 2); }},
      {"exp", [](const D& x) { return exp(x); }, [](double x) { return std::exp(x); },
       [](double x) { return std::exp(x); }, [](double x) { return std::exp(x); }},
      {"log", [](const D& x) { return log(x); }, [](double x) { return std::log(x); },
       [](double x) { return 1 / x; }, [](double x) { return -1 / (x * x); }},
      {"sqrt", [](const D& x) { return sqrt(x); }, [](double x) { return std::sqrt(x); },
       [](double x) { return 0.5 / std::sqrt(x); },
       [](double x) { return -0.25 / std::pow(x, 1.5); }},
      {"tanh", [](const D& x) { return tanh(x); }, [](double x) { return std::tanh(x); },
       [](double x) { return 1 - std::pow(std::tanh(x), 2); },
       [](double x) { return -2 * std::tanh(x) * (1 - std::pow(std::tanh(x), 2)); }},
      {"sinh", [](const D& x) { return sinh(x); }, [](double x) { return std::sinh(x); },
       [](double x) { return std::cosh(x); }, [](double x) { return std::sinh(x); }},
      {"cosh", [](const D& x) { return cosh(x); }, [](double x) { return std::cosh(x); },
       [](double x) { return std::sinh(x); }, [](double x) { return std::cosh(x); }},
      {"pow", [](const D& x) { return pow(x, 2.5); }, [](double x) { return std::pow(x, 2.5); },
       [](double x) { return 2.5 * std::pow(x, 1.5); },
       [](double x) { return 3.75 * std::sqrt(x); }},
      {"quotient", [](const D& x) { return (1.0 - x) / (x * x + 2.0); },
       [](double x) { return (1 - x) / (x * x + 2); },
       [](double x) { return (x * x - 2 * x - 2) / std::pow(x * x + 2, 2); },
       [](double x) { return -2 * (x * x * x - 3 * x * x - 6 * x + 2) / std::pow(x * x + 2, 3); }},
      {"abs", [](const D& x) { return abs(-1.0 * x); }, [](double x) { return x; },
       [](double) { return 1.0; }, [](double) { return 0.0; }},
  };
  for (const Function& f : functions) {
    const double x = 0.37;
    const D result = f.f(D::variable(Dual<1>::variable(x, 0), 0));
    EXPECT_NEAR(plain_value(result), f.value(x), 1e-15) << f.name;
    EXPECT_NEAR(result.d(0).value, f.first(x), 2e-15) << f.name;
    EXPECT_NEAR(result.value.d(0), f.first(x), 2e-15) << f.name;
    EXPECT_NEAR(result.d(0).d(0), f.second(x), 1e-14) << f.name;
  }
}

TEST(Dual, MixesWithEigenAndPlainNumbers) {
  using D = Dual<2>;
  const SmallVector<D, 2> x(D::variable(2.0, 0), D::variable(3.0, 1));
  const SmallMatrix<double, 2, 2> A = (SmallMatrix<double, 2, 2>() << 1, 2, 3, 4).finished();
  const SmallVector<D, 2> y = A * x;
  EXPECT_EQ(y(1).value, 18.0);
  EXPECT_EQ(y(1).d(0), 3.0);
  EXPECT_EQ(y(1).d(1), 4.0);
  const D z = x.dot(y) * 2.0 - 1.0 / x(0);
  EXPECT_DOUBLE_EQ(z.d(0), 2.0 * (2.0 * 2.0 + 5.0 * 3.0) + 0.25);
}

}  // namespace
}  // namespace picus
