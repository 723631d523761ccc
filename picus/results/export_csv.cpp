// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/export_csv.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace picus {
namespace {

// A channel of the export: which number of which quantity.
struct Source {
  std::size_t quantity;
  std::size_t number;
};

// A field of RFC 4180: quoted when it must be.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::vector<Source> all_sources(const ResultHeader& header) {
  std::vector<Source> sources;
  for (std::size_t q = 0; q < header.quantities.size(); ++q) {
    const auto width = static_cast<std::size_t>(header.quantities[q].width());
    for (std::size_t number = 0; number < width; ++number)
      sources.push_back({q, number});
  }
  return sources;
}

long nearest_sample(const std::vector<double>& times, double wanted) {
  const auto after = std::lower_bound(times.begin(), times.end(), wanted);
  if (after == times.end()) return static_cast<long>(times.size()) - 1;
  if (after == times.begin()) return 0;
  const bool earlier = wanted - *std::prev(after) <= *after - wanted;
  return static_cast<long>(after - times.begin()) - (earlier ? 1 : 0);
}

// Reads samples of the quantities in use by the block and writes their lines.
class Lines {
 public:
  Lines(const ResultFile& result, std::vector<Source> sources)
      : result_(result),
        sources_(std::move(sources)),
        is_used_(result.header().quantities.size(), false),
        blocks_(result.header().quantities.size()) {
    for (const Source& source : sources_)
      is_used_[source.quantity] = true;
  }

  void write(long sample, std::ostream& out) {
    if (sample < first_ || sample >= last_) load(sample);
    line_.clear();
    fmt::format_to(std::back_inserter(line_), "{}",
                   result_.times()[static_cast<std::size_t>(sample)]);
    const auto row = static_cast<std::size_t>(sample - first_);
    for (const Source& source : sources_) {
      const auto& quantity = result_.header().quantities[source.quantity];
      const auto width = static_cast<std::size_t>(quantity.width());
      fmt::format_to(std::back_inserter(line_), ",{}",
                     blocks_[source.quantity][row * width + source.number]);
    }
    line_ += '\n';
    out << line_;
  }

 private:
  void load(long sample) {
    constexpr long kBlock = 1024;
    first_ = sample - sample % kBlock;
    last_ = std::min(first_ + kBlock, result_.samples());
    for (std::size_t q = 0; q < blocks_.size(); ++q) {
      if (is_used_[q]) result_.read(q, first_, last_ - first_, blocks_[q]);
    }
  }

  const ResultFile& result_;
  std::vector<Source> sources_;
  std::vector<bool> is_used_;
  std::vector<std::vector<double>> blocks_;
  long first_ = 0, last_ = 0;
  std::string line_;
};

}  // namespace

std::vector<long> chosen_samples(const ResultFile& result, const SampleChoice& choice) {
  if (choice.every < 1)
    throw InputError(fmt::format("every: found {}, expected 1 or more", choice.every));
  std::vector<long> samples;
  if (choice.times.empty()) {
    for (long sample = 0; sample < result.samples(); sample += choice.every)
      samples.push_back(sample);
    return samples;
  }
  if (result.samples() == 0) return samples;
  for (std::size_t i = 0; i < choice.times.size(); ++i) {
    const double time = choice.times[i];
    if (!std::isfinite(time) || (i > 0 && time < choice.times[i - 1]))
      throw InputError(fmt::format("times: found {}, expected ascending numbers", time));
    const long sample = nearest_sample(result.times(), time);
    if (samples.empty() || samples.back() != sample) samples.push_back(sample);
  }
  return samples;
}

void export_csv(const ResultFile& result, const CsvOptions& options, std::ostream& out) {
  const std::vector<std::string>& names = result.channels();
  const std::vector<Source> all = all_sources(result.header());
  const std::vector<std::size_t> chosen = chosen_channels(
      names, options.channels.empty() ? std::vector<std::string>{"*"} : options.channels);
  const std::vector<long> samples = chosen_samples(result, options.samples);

  std::vector<Source> sources;
  out << "time [s]";
  for (const std::size_t channel : chosen) {
    const std::string& unit = result.header().quantities[all[channel].quantity].unit;
    out << ',' << csv_field(unit.empty() ? names[channel] : names[channel] + " [" + unit + "]");
    sources.push_back(all[channel]);
  }
  out << '\n';
  Lines lines(result, std::move(sources));
  for (std::size_t i = 0; i < samples.size() && out; ++i)
    lines.write(samples[i], out);
}

}  // namespace picus
