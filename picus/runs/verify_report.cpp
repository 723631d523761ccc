// SPDX-License-Identifier: BSD-3-Clause
// What a verification says, for people and as JSON.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "picus/runs/verify.h"

namespace picus {
namespace {

// More channels than this are not shown one by one unless they are asked for.
constexpr std::size_t kManyChannels = 24;

std::string quote_of(const ChannelTrust& trust) {
  if (trust.digits > 0)
    return fmt::format("quote {} digit{}", trust.digits, trust.digits == 1 ? "" : "s");
  if (!trust.lost_at) return "no digit: small compared with others of its kind";
  return fmt::format("no digit after t = {:.4g} s", *trust.lost_at);
}

std::string quantity_of(const std::string& channel) {
  // "bodies.rod.position.x": group and name, whatever the item is called
  const std::size_t first = channel.find('.'), last = channel.rfind('.');
  if (first == last) return channel;
  const std::size_t before = channel.rfind('.', last - 1);
  return channel.substr(0, first) + channel.substr(before == first ? last : before);
}

// The worst of each quantity, in the order of the channels.
std::vector<const ChannelTrust*> worst_of_each(const std::vector<ChannelTrust>& channels) {
  std::map<std::string, const ChannelTrust*> worst;
  const auto relative = [](const ChannelTrust& trust) { return trust.error / trust.largest; };
  for (const ChannelTrust& trust : channels) {
    const ChannelTrust*& found = worst[quantity_of(trust.channel)];
    if (found == nullptr || relative(trust) > relative(*found)) found = &trust;
  }
  std::vector<const ChannelTrust*> shown;
  for (const ChannelTrust& trust : channels)
    if (worst[quantity_of(trust.channel)] == &trust) shown.push_back(&trust);
  return shown;
}

std::string table_of(const std::vector<const ChannelTrust*>& shown) {
  std::size_t name = 0, size = 0, error = 0;
  std::vector<std::array<std::string, 3>> cells;
  for (const ChannelTrust* trust : shown) {
    const std::string unit = trust->unit.empty() ? "" : " " + trust->unit;
    cells.push_back(
        {trust->channel + ":", fmt::format("up to {:.3g}{}", trust->largest, unit),
         fmt::format("{} {:.0e}{}", trust->error > 0.0 ? "error" : "error below",
                     trust->error > 0.0 ? trust->error : 1e-15 * trust->largest, unit)});
    name = std::max(name, cells.back()[0].size());
    size = std::max(size, cells.back()[1].size());
    error = std::max(error, cells.back()[2].size());
  }
  std::string text;
  for (std::size_t i = 0; i < shown.size(); ++i)
    text += fmt::format("  {:{}}  {:{}}  {:{}}  {}{}\n", cells[i][0], name, cells[i][1], size,
                        cells[i][2], error, quote_of(*shown[i]),
                        shown[i]->methods_disagree() ? ", methods disagree" : "");
  return text;
}

std::string words_of(const Divergence& divergence) {
  std::string text = fmt::format("after t = {:.4g} s the two runs are unrelated", divergence.time);
  if (divergence.is_chaotic)
    text += fmt::format(
        ": the motion is chaotic, errors grow like exp({:.3g} t), and a tenth of the tolerance "
        "gains about {:.2g} s",
        divergence.rate, std::log(10.0) / divergence.rate);
  else if (divergence.at_once)
    text += ": they separate at once, at an event that can go either way";
  else
    text += ": errors accumulate; use a smaller tolerance";
  text += "\n";
  for (const auto& [digits, time] : divergence.digits_until)
    text += fmt::format("  {} digits of the positions until t = {:.4g} s\n", digits, time);
  return text;
}

std::string words_of(const ImpactTrust& trust, bool diverges) {
  if (trust.impacts == 0 && trust.finer == 0) return {};
  if (trust.impacts == trust.finer && trust.alike == trust.impacts)
    return fmt::format("impacts: {} in both runs; their times differ by up to {:.0e} s\n",
                       trust.impacts, trust.time_error);
  return fmt::format(
      "impacts: {} and {}; the first {} agree, with times that differ by up to {:.0e} s{}\n",
      trust.impacts, trust.finer, trust.alike, trust.time_error,
      diverges ? "" : " (the last bounces of a decaying sequence may or may not be counted)");
}

std::string words_of_methods(const Verification& verification) {
  if (verification.other.empty())
    return verification.other_problem.empty()
               ? std::string{}
               : fmt::format("not checked with another method: {}\n", verification.other_problem);
  double worst = 0.0;
  const ChannelTrust* at = nullptr;
  for (const ChannelTrust& trust : verification.channels) {
    const double ratio = trust.between / trust.largest;
    if (ratio > worst) {
      worst = ratio;
      at = &trust;
    }
  }
  if (at == nullptr) return fmt::format("{} gives the same result\n", verification.other);
  return fmt::format("{} differs by up to {:.0e} {} ({}); the errors of both explain {:.0e}\n",
                     verification.other, at->between, at->unit, at->channel, at->explained);
}

}  // namespace

std::string to_text(const Verification& verification, bool all_channels) {
  std::string text = "verified against\n";
  for (std::size_t i = 0; i < verification.runs.size(); ++i) {
    const VerifyRun& run = verification.runs[i];
    text += fmt::format("  {}{}{}\n", run.label, i == 0 ? " (the run itself)" : "",
                        run.problem.empty() ? "" : ": " + run.problem);
  }
  if (!verification.channels.empty()) {
    std::vector<const ChannelTrust*> shown;
    if (!all_channels && verification.channels.size() > kManyChannels) {
      shown = worst_of_each(verification.channels);
      text += fmt::format("observed errors over the whole run, the worst of {} channels:\n",
                          verification.channels.size());
    } else {
      for (const ChannelTrust& trust : verification.channels)
        shown.push_back(&trust);
      text += "observed errors over the whole run:\n";
    }
    text += table_of(shown);
    text += words_of(verification.impacts, verification.divergence.has_value());
    text += words_of_methods(verification);
  }
  if (verification.divergence) text += words_of(*verification.divergence);
  return text;
}

std::string to_json(const Verification& verification) {
  nlohmann::ordered_json json;
  json["ok"] = verification.ok();
  json["problem"] = verification.problem();
  for (const VerifyRun& run : verification.runs)
    json["runs"].push_back({{"method", run.label},
                            {"problem", run.problem},
                            {"seconds", run.seconds},
                            {"impacts", run.impacts}});
  json["other_method"] = verification.other;
  json["channels"] = nlohmann::ordered_json::array();
  for (const ChannelTrust& trust : verification.channels) {
    nlohmann::ordered_json channel{
        {"channel", trust.channel},    {"unit", trust.unit},
        {"largest", trust.largest},    {"size", trust.size},
        {"error", trust.error},        {"digits", trust.digits},
        {"jumps", trust.jumps},        {"between_methods", trust.between},
        {"explained", trust.explained}};
    if (trust.lost_at) channel["lost_at"] = *trust.lost_at;
    json["channels"].push_back(std::move(channel));
  }
  json["impacts"] = {{"run", verification.impacts.impacts},
                     {"finer", verification.impacts.finer},
                     {"alike", verification.impacts.alike},
                     {"time_error", verification.impacts.time_error}};
  if (verification.divergence) {
    const Divergence& divergence = *verification.divergence;
    json["divergence"] = {{"time", divergence.time},
                          {"chaotic", divergence.is_chaotic},
                          {"rate", divergence.rate},
                          {"at_once", divergence.at_once}};
    for (const auto& [digits, time] : divergence.digits_until)
      json["divergence"]["digits_until"][std::to_string(digits)] = time;
  }
  return json.dump();
}

}  // namespace picus
