// SPDX-License-Identifier: BSD-3-Clause
#include "picus/report/payload.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>

#include <nlohmann/json.hpp>

#include "picus/report/decimation.h"
#include "picus/report/encoding.h"
#include "picus/results/impact.h"

namespace picus::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kMagic[] = "PICUSPG2";
constexpr std::size_t kMagicSize = 8, kAlignment = 8;
// More of them a page does not list.
constexpr std::size_t kMostImpacts = 20000, kMostEvents = 2000;
// Numbers read from the file at once.
constexpr long kReadAtOnce = 1 << 20;

// The binary part of a payload; what the head says of it are places in it.
class Blocks {
 public:
  long add_doubles(const std::vector<double>& values) {
    std::string raw(8 * values.size(), '\0');
    if (!values.empty()) std::memcpy(raw.data(), values.data(), raw.size());
    return add(raw);
  }
  template <class Number>
  long add_packed(const std::vector<Number>& values, std::size_t run) {
    return add(packed(std::span<const Number>(values), std::max<std::size_t>(1, run)));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  long add(const std::string& raw) {
    const long at = static_cast<long>(bytes_.size());
    bytes_ += raw;
    bytes_.resize((bytes_.size() + kAlignment - 1) / kAlignment * kAlignment, '\0');
    return at;
  }
  std::string bytes_;
};

// Numbers are given as multiples of this part of their usual size in their channel, or of the
// largest usual size in all channels of their quantity: noise about zero is zero.
constexpr double kFine = 0x1p-20, kNoise = 0x1p-26;
constexpr double kMostMultiples = 0x1p30;

double usual_size(const std::vector<float>& values) {
  double sum = 0.0;
  for (const float v : values)
    sum += std::abs(static_cast<double>(v));
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

// The units of multiples for every channel; none when floats are better: for numbers that are read
// on logarithmic axes, that are not finite, or that exceed their usual size by far.
std::vector<double> quanta_of(const Quantity& quantity, const std::vector<Envelope>& channels) {
  std::vector<double> quanta;
  if (quantity.group == "solver") return quanta;
  double noise = 0.0;
  for (const Envelope& channel : channels) {
    quanta.push_back(kFine * usual_size(channel.values()));
    noise = std::max(noise, kNoise / kFine * quanta.back());
  }
  for (std::size_t c = 0; c < channels.size(); ++c) {
    quanta[c] = std::max(quanta[c], noise);
    // a power of two: multiples are exact floats, and what is zero stays zero
    quanta[c] = quanta[c] == 0.0 ? 1.0 : std::exp2(std::round(std::log2(quanta[c])));
    const auto fits = [most = kMostMultiples * quanta[c]](float v) { return std::abs(v) < most; };
    const auto fit = [&](const std::vector<float>& v) {
      return std::all_of(v.begin(), v.end(), fits);
    };
    if (!fit(channels[c].values()) || !fit(channels[c].extremes())) return {};
  }
  return quanta;
}

// What is added to the numbers of every channel: multiples of its quantum, too.
std::vector<double> offsets_of(const std::vector<Envelope>& channels,
                               const std::vector<double>& quanta) {
  std::vector<double> offsets;
  offsets.reserve(channels.size());
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const double offset = channels[c].offset();
    offsets.push_back(quanta.empty() ? offset : quanta[c] * std::round(offset / quanta[c]));
  }
  return offsets;
}

// One list of numbers of every channel, packed: floats, or multiples of quanta.
template <class Read>
long put_numbers(const std::vector<Envelope>& channels, const std::vector<double>& quanta,
                 const std::vector<double>& offsets, std::size_t run, Read read, Blocks& blocks) {
  std::vector<float> floats;
  std::vector<std::int32_t> multiples;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const std::vector<float>& values = read(channels[c]);
    const double moved = channels[c].offset() - offsets[c];
    if (quanta.empty()) floats.insert(floats.end(), values.begin(), values.end());
    for (std::size_t i = 0; !quanta.empty() && i < values.size(); ++i)
      multiples.push_back(static_cast<std::int32_t>(
          std::lround((static_cast<double>(values[i]) + moved) / quanta[c])));
  }
  return quanta.empty() ? blocks.add_packed(floats, run) : blocks.add_packed(multiples, run);
}

// All channels of a quantity: values at the kept samples and extremes between them.
Json put_quantity(const ResultFile& result, std::size_t number, const std::vector<long>& kept,
                  Blocks& blocks) {
  const Quantity& quantity = result.header().quantities[number];
  const auto width = static_cast<std::size_t>(quantity.width());
  const long samples = result.samples();
  std::vector<Envelope> channels(width, Envelope(kept));
  const long at_once = std::max(1L, kReadAtOnce / quantity.width());
  std::vector<double> values;
  for (long first = 0; first < samples; first += at_once) {
    const long count = std::min(at_once, samples - first);
    result.read(number, first, count, values);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
      for (std::size_t c = 0; c < width; ++c)
        channels[c].add(values[i * width + c]);
  }
  const std::vector<double> quanta = quanta_of(quantity, channels);
  const std::vector<double> offsets = offsets_of(channels, quanta);
  const auto put = [&](std::size_t run, auto read) {
    return put_numbers(channels, quanta, offsets, run, read, blocks);
  };
  Json json{{"group", quantity.group},
            {"name", quantity.name},
            {"items", quantity.items},
            {"components", quantity.components},
            {"unit", quantity.unit},
            {"meaning", quantity.meaning},
            {"offsets", blocks.add_doubles(offsets)},
            {"values", put(kept.size(), std::mem_fn(&Envelope::values))}};
  if (!quanta.empty()) json["quanta"] = blocks.add_doubles(quanta);
  if (static_cast<long>(kept.size()) < samples)
    json["extremes"] = put(2 * (kept.size() - 1), std::mem_fn(&Envelope::extremes));
  return json;
}

// Impacts as columns, other events as a list.
void put_events(const ResultFile& result, Json& head, std::vector<double>& moments) {
  Json impacts;
  for (const char* column : {"time", "contact", "first", "second", "before", "after", "impulse",
                             "tangential", "lost", "is_angle"})
    impacts[column] = Json::array();
  Json events = Json::array();
  const std::vector<Event> all = result.events();
  std::size_t impacts_seen = 0;
  const auto total = static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const Event& e) { return e.kind == "impact"; }));
  const std::size_t every = 1 + total / kMostImpacts;
  for (const Event& event : all) {
    moments.push_back(event.time);
    if (const auto impact = impact_of(event)) {
      if (impacts_seen++ % every != 0) continue;
      impacts["time"].push_back(impact->time);
      impacts["contact"].push_back(impact->contact);
      impacts["first"].push_back(impact->first);
      impacts["second"].push_back(impact->second);
      impacts["before"].push_back(impact->before);
      impacts["after"].push_back(impact->after);
      impacts["impulse"].push_back(impact->impulse);
      impacts["tangential"].push_back(impact->tangential_impulse);
      impacts["lost"].push_back(impact->lost);
      impacts["is_angle"].push_back(impact->is_angle);
    } else if (events.size() < kMostEvents) {
      events.push_back({{"time", event.time}, {"kind", event.kind}, {"text", event.text}});
    }
  }
  head["impacts"] = std::move(impacts);
  head["impact_count"] = total;
  head["events"] = std::move(events);
}

// JSON that was written by somebody else: a text when it is none.
Json parsed(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json(text) : json;
}

}  // namespace

std::string payload_of(const ResultFile& result, const PayloadOptions& options) {
  const ResultHeader& header = result.header();
  Json head{{"name", header.model_name},         {"version", header.version},
            {"created", header.created},         {"integrator", header.integrator},
            {"options", parsed(header.options)}, {"model", header.model_text},
            {"complete", result.is_complete()}};
  if (result.is_complete()) head["summary"] = parsed(result.summary());
  if (!header.scene.empty()) head["scene"] = parsed(header.scene);
  std::vector<double> moments;
  put_events(result, head, moments);

  constexpr long kPerGap = 3;  // a kept number and two extremes
  const long width = std::max<long>(1, static_cast<long>(result.channels().size()));
  const long samples = result.samples();
  // thinned out to n samples a result takes the room of 3 n
  const long room = std::max(kPerGap * options.least_samples, options.numbers / width);
  const std::vector<long> kept =
      kept_samples(result.times(), moments, samples <= room ? room : room / kPerGap);
  std::vector<double> times;
  times.reserve(kept.size());
  for (const long i : kept)
    times.push_back(result.times()[static_cast<std::size_t>(i)]);

  Blocks blocks;
  head["samples"] = samples;
  head["kept"] = kept.size();
  head["time"] = blocks.add_doubles(times);
  head["quantities"] = Json::array();
  for (std::size_t q = 0; q < header.quantities.size(); ++q)
    head["quantities"].push_back(put_quantity(result, q, kept, blocks));

  std::string text = head.dump(-1, ' ', false, Json::error_handler_t::replace);
  // the numbers begin at a multiple of their size
  text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  const auto size = static_cast<std::uint64_t>(text.size());
  std::string bytes(kMagic, kMagicSize);
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size);  // NOLINT: little-endian
  return deflated(bytes + text + blocks.bytes());
}

}  // namespace picus::report
