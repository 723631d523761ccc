// SPDX-License-Identifier: BSD-3-Clause
#include "picus/model/flexible/section.h"

#include <algorithm>

namespace picus {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kCirclePoints = 24;
constexpr int kTorsionTerms = 15;  // odd n up to 29: 29⁻⁵ is 5e-8, and the sum is a correction

std::vector<Vector3> circle(double radius) {
  std::vector<Vector3> points;
  for (int i = 0; i < kCirclePoints; ++i) {
    const double angle = 2.0 * kPi * i / kCirclePoints;
    points.emplace_back(0.0, radius * std::cos(angle), radius * std::sin(angle));
  }
  return points;
}

std::vector<Vector3> corners(double height, double width) {
  const double y = 0.5 * height, z = 0.5 * width;
  return {{0.0, y, z}, {0.0, y, -z}, {0.0, -y, -z}, {0.0, -y, z}};
}

// The twelve corners of an I, all the way round.
std::vector<Vector3> corners_of_i(const ISection& section) {
  const double y = 0.5 * section.height, z = 0.5 * section.width;
  const double inner = y - section.flange, web = 0.5 * section.web;
  return {{0.0, y, z},         {0.0, y, -z},       {0.0, inner, -z},  {0.0, inner, -web},
          {0.0, -inner, -web}, {0.0, -inner, -z},  {0.0, -y, -z},     {0.0, -y, z},
          {0.0, -inner, z},    {0.0, -inner, web}, {0.0, inner, web}, {0.0, inner, z}};
}

// Saint-Venant: J = a b³/3 (1 − 192/π⁵ b/a Σ tanh(nπa/2b)/n⁵), n odd, a ≥ b the sides.
double torsion_of_rectangle(double height, double width) {
  const double a = std::max(height, width), b = std::min(height, width);
  double sum = 0.0;
  for (int k = 0; k < kTorsionTerms; ++k) {
    const double n = 2.0 * k + 1.0;
    sum += std::tanh(0.5 * n * kPi * a / b) / std::pow(n, 5);
  }
  return a * b * b * b / 3.0 * (1.0 - 192.0 / std::pow(kPi, 5) * b / a * sum);
}

}  // namespace

SectionProperties RoundSection::with_bore(double bore, double poisson) const {
  const double r2 = radius * radius, b2 = bore * bore;
  const double area = kPi * (r2 - b2), moment = 0.25 * kPi * (r2 * r2 - b2 * b2);
  const double m2 = b2 / r2, square = (1.0 + m2) * (1.0 + m2);
  const double correction = 6.0 * (1.0 + poisson) * square /
                            ((7.0 + 6.0 * poisson) * square + (20.0 + 12.0 * poisson) * m2);
  return {.area = area,
          .shear_area_y = correction * area,
          .shear_area_z = correction * area,
          .torsion = 2.0 * moment,
          .moment_y = moment,
          .moment_z = moment,
          .outline = circle(radius)};
}

SectionProperties RectangleSection::properties(double poisson) const {
  const double area = height * width;
  const double correction = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson);
  return {.area = area,
          .shear_area_y = correction * area,
          .shear_area_z = correction * area,
          .torsion = torsion_of_rectangle(height, width),
          .moment_y = area * width * width / 12.0,
          .moment_z = area * height * height / 12.0,
          .outline = corners(height, width)};
}

SectionProperties ISection::properties(double) const {
  const double inner = height - 2.0 * flange;
  const double flanges = 2.0 * width * flange;
  return {.area = flanges + inner * web,
          .shear_area_y = height * web,
          .shear_area_z = 5.0 / 6.0 * flanges,
          .torsion = (2.0 * width * std::pow(flange, 3) + inner * std::pow(web, 3)) / 3.0,
          .moment_y = (2.0 * flange * std::pow(width, 3) + inner * std::pow(web, 3)) / 12.0,
          .moment_z = (width * std::pow(height, 3) - (width - web) * std::pow(inner, 3)) / 12.0,
          .outline = corners_of_i(*this)};
}

}  // namespace picus
