// SPDX-License-Identifier: BSD-3-Clause
// Result files: how fast samples are written and read, and what one dataset per channel would cost.

#include <cmath>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "bench/session.h"
#include "bench/table.h"
#include "picus/results/hdf5_file.h"
#include "picus/results/result_file.h"
#include "picus/results/result_writer.h"

namespace {

using namespace picus;
using namespace picus::bench;

constexpr std::size_t kNumbersPerBody = 13;

struct Sizes {
  int repetitions = 5;
  int bodies = 100;  ///< whose samples are written and read
  long samples = 5000;
  std::size_t layout_bodies = 1000, layout_samples = 64;
};

std::string file_path() {
  return (std::filesystem::temp_directory_path() / "picus-bench-results.h5").string();
}

/// CPU time, median of the repetitions [s]. The disk itself is not measured: the numbers go to the
/// memory of the operating system.
double seconds(int repetitions, const std::function<void()>& work) {
  std::vector<double> all;
  for (int i = 0; i < repetitions; ++i) {
    const double begin = cpu_seconds();
    work();
    all.push_back(cpu_seconds() - begin);
  }
  return median(all);
}

ResultHeader header_of(int bodies) {
  std::vector<std::string> names;
  for (int i = 0; i < bodies; ++i)
    names.push_back(fmt::format("body{}", i));
  const std::vector<std::string> xyz{"x", "y", "z"};
  ResultHeader header;
  header.quantities = {{"bodies", "position", names, xyz, "m", "Centre of mass."},
                       {"bodies", "orientation", names, {"w", "x", "y", "z"}, "", "Quaternion."},
                       {"bodies", "velocity", names, xyz, "m/s", "Of the centre of mass."},
                       {"bodies", "angular_velocity", names, xyz, "rad/s", "In the world frame."}};
  return header;
}

/// Smooth motions with digits down to the last bit, as a simulation has them.
std::vector<double> motion(std::size_t width, long sample) {
  std::vector<double> values(width);
  for (std::size_t i = 0; i < width; ++i)
    values[i] = std::sin(1e-3 * static_cast<double>(sample) + 0.1 * static_cast<double>(i));
  return values;
}

std::vector<std::vector<double>> motions(std::size_t width, long samples) {
  std::vector<std::vector<double>> rows;
  for (long sample = 0; sample < samples; ++sample)
    rows.push_back(motion(width, sample));
  return rows;
}

/// Samples and megabytes of numbers per second, and what arrives on disk.
Table throughput_table(const Sizes& sizes) {
  const int bodies = sizes.bodies;
  const long samples = sizes.samples;
  const std::size_t width = static_cast<std::size_t>(bodies) * kNumbersPerBody;
  const auto rows = motions(width, samples);
  const double megabytes = 8e-6 * static_cast<double>(width) * static_cast<double>(samples);
  Table table{"results",
              fmt::format("{} samples of {} bodies ({:.0f} MB)", samples, bodies, megabytes),
              {"work", "samples per s", "MB/s", "file over numbers"},
              {}};
  const auto write = [&](long flush_every) {
    ResultWriter writer(file_path(), header_of(bodies));
    for (long i = 0; i < samples; ++i) {
      writer.append(1e-3 * static_cast<double>(i), rows[static_cast<std::size_t>(i)]);
      if (i % flush_every == 0) writer.flush();
    }
    writer.finish("{}");
  };
  const auto add = [&](const char* work, double time) {
    const auto size = static_cast<double>(std::filesystem::file_size(file_path()));
    table.add({work, number(static_cast<double>(samples) / time), number(megabytes / time),
               fmt::format("{:.2f}", 1e-6 * size / megabytes)});
  };
  add("write, flushed every 10 samples", seconds(sizes.repetitions, [&] { write(10); }));
  add("write", seconds(sizes.repetitions, [&] { write(samples); }));
  add("read by quantity", seconds(sizes.repetitions, [] {
        const ResultFile file(file_path());
        std::vector<double> values;
        for (std::size_t q = 0; q < file.header().quantities.size(); ++q)
          file.read(q, 0, file.samples(), values);
      }));
  return table;
}

/// A layout of the same numbers: so many tables, each with so many numbers per sample.
struct Layout {
  const char* name;
  std::size_t tables, width, chunk_rows;
};

struct LayoutCost {
  double create = 0.0, append = 0.0, size = 0.0;
};

// Once: the second layout takes long enough to be measured so.
LayoutCost cost_of(const Layout& layout, std::size_t samples) {
  const std::vector<double> chunk = motion(layout.width * layout.chunk_rows, 0);
  const double begin = cpu_seconds();
  hdf5::File file = hdf5::File::create(file_path());
  for (std::size_t t = 0; t < layout.tables; ++t)
    file.add_table(fmt::format("bodies/{}", t),
                   {hdf5::Entry::kNumber, {layout.width}, layout.chunk_rows});
  file.start_appending();
  std::vector<hdf5::Table> tables;
  for (std::size_t t = 0; t < layout.tables; ++t)
    tables.push_back(file.table(fmt::format("bodies/{}", t), hdf5::Entry::kNumber));
  const double made = cpu_seconds();
  for (std::size_t row = 0; row < samples; row += layout.chunk_rows) {
    for (hdf5::Table& table : tables)
      table.append_chunk(chunk.data(), layout.chunk_rows);
    file.flush();
  }
  LayoutCost cost;
  cost.create = made - begin;
  cost.append = (cpu_seconds() - made) / static_cast<double>(samples);
  cost.size = static_cast<double>(std::filesystem::file_size(file_path())) /
              (8.0 * static_cast<double>(layout.tables * layout.width * samples));
  return cost;
}

Table layout_table(const Sizes& sizes) {
  const std::size_t channels = sizes.layout_bodies * kNumbersPerBody;
  Table table{"results_layout",
              fmt::format("{} samples of {} bodies, two layouts", sizes.layout_samples,
                          sizes.layout_bodies),
              {"layout", "datasets", "samples per chunk", "create: s", "append: ms per sample",
               "file over numbers"},
              {}};
  const std::vector<Layout> layouts{{"per quantity", 4, channels / 4, 16},
                                    {"per channel", channels, 1, 16},
                                    {"per channel", channels, 1, 64}};
  for (const Layout& layout : layouts) {
    const LayoutCost cost = cost_of(layout, sizes.layout_samples);
    table.add({layout.name, std::to_string(layout.tables), std::to_string(layout.chunk_rows),
               number(cost.create), number(1e3 * cost.append), fmt::format("{:.2f}", cost.size)});
  }
  return table;
}

}  // namespace

int main(int argc, char** argv) {
  const CommandLine line(argc, argv);
  const Sizes sizes = line.smoke() ? Sizes{1, 4, 100, 20, 64} : Sizes{};
  const std::vector<Table> tables{throughput_table(sizes), layout_table(sizes)};
  std::filesystem::remove(file_path());
  for (const Table& table : tables)
    print(table);
  return write_json(line, tables);
}
