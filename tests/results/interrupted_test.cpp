// SPDX-License-Identifier: BSD-3-Clause
// What remains of a run whose process is killed, runs out of disk, or is read by other tools.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "picus/base/output_file.h"
#include "picus/results/result_file.h"
#include "picus/results/result_writer.h"
#include "tests/results/sample_result.h"

namespace picus::testing {
namespace {

class InterruptedRun : public ResultTest {};

// A number that parent and child see.
class SharedCount {
 public:
  SharedCount()
      : memory_(::mmap(nullptr, sizeof(std::atomic<long>), PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
        count_(new (memory_) std::atomic<long>(0)) {}
  ~SharedCount() { ::munmap(memory_, sizeof(std::atomic<long>)); }
  SharedCount(const SharedCount&) = delete;
  SharedCount& operator=(const SharedCount&) = delete;
  std::atomic<long>& operator*() { return *count_; }

 private:
  void* memory_;
  std::atomic<long>* count_;
};

// The child: appends for ever, flushes every few samples and tells how many are safe.
void run_for_ever(const std::string& path, std::atomic<long>& flushed) {
  ResultWriter writer(path, sample_header());
  for (long row = 0;; ++row) {
    writer.append(sample_time(row), sample_values(row));
    if (row % 10 == 0) writer.log_event(sample_time(row), "tenth", std::to_string(row));
    if (row % 7 == 0) {
      writer.flush();
      flushed = row + 1;
    }
  }
}

void expect_whole(const std::string& path, long at_least) {
  const ResultFile file(path);
  EXPECT_GE(file.samples(), at_least);
  EXPECT_FALSE(file.is_complete());
  const std::vector<double> energy = file.column("energy.total");
  const std::vector<double> height = file.column("bodies.Stößel.position.y");
  for (long row = 0; row < file.samples(); ++row) {
    const auto i = static_cast<std::size_t>(row);
    ASSERT_EQ(file.times()[i], sample_time(row));
    ASSERT_EQ(energy[i], sample_values(row)[6]);
    ASSERT_EQ(height[i], sample_values(row)[4]);
  }
  const std::vector<Event> events = file.events();
  EXPECT_GE(10 * static_cast<long>(events.size()), at_least);
  for (std::size_t i = 0; i < events.size(); ++i)
    ASSERT_EQ(events[i].text, std::to_string(10 * i));
}

TEST_F(InterruptedRun, KilledProcessLeavesEverythingFlushed) {
  using namespace std::chrono_literals;
  for (int round = 0; round < 25; ++round) {
    SharedCount flushed;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        run_for_ever(path(), *flushed);
      } catch (const std::exception&) {
        ::_exit(1);
      }
    }
    while (*flushed < 100 && ::waitpid(child, nullptr, WNOHANG) == 0)
      std::this_thread::sleep_for(100us);
    ASSERT_GE(*flushed, 100) << "the child failed";
    std::this_thread::sleep_for(round * 777us);  // another moment of the writing in every round
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    expect_whole(path(), *flushed);
  }
}

// A limit on the size of files stands for a full disk.
TEST_F(InterruptedRun, FullDiskIsAnErrorThatNamesTheFile) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{200'000, 200'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int code = 1;
    try {
      ResultWriter writer(path(), sample_header());
      for (long row = 0; row < 100'000; ++row)
        writer.append(sample_time(row), sample_values(row * row));
    } catch (const InputError& error) {
      const std::string text = error.what();
      code = text.find("cannot write the result file '" + path() + "'") == 0 ? 42 : 2;
    }
    ::_exit(code);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

// Disks that are full after so many bytes, from the middle of the header on: what was flushed is
// there and right, also for those who do not know that the run broke off.
TEST_F(InterruptedRun, AFullDiskLeavesEverythingFlushed) {
  int broken = 0;
  for (rlim_t bytes = 3'000; bytes < 200'000; bytes += 4'777) {
    SharedCount flushed;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{bytes, bytes};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      try {
        ResultWriter writer(path(), sample_header());
        for (long row = 0; row < 5'000; ++row) {
          writer.append(sample_time(row), sample_values(row));
          if (row % 10 == 0) writer.log_event(sample_time(row), "tenth", std::to_string(row));
          if (row % 97 == 0) {
            writer.flush();
            *flushed = row + 1;
          }
        }
        writer.finish("{}");
      } catch (const WriteError& error) {
        ::_exit(std::string(error.what()).ends_with(": File too large") ? 42 : 1);
      }
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "crashed at " << bytes;
    ASSERT_EQ(WEXITSTATUS(status), 42) << bytes;
    if (!std::filesystem::exists(path())) {
      EXPECT_EQ(*flushed, 0) << bytes;
      EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::path(path()).parent_path()));
      continue;
    }
    expect_whole(path(), *flushed);
    ++broken;
    std::filesystem::remove(path());
  }
  EXPECT_GT(broken, 20);
}

TEST_F(InterruptedRun, AFullDiskLeavesTheOlderResultIfTheNewOneCannotBegin) {
  {
    ResultWriter writer(path(), sample_header());
    writer.append(0.0, sample_values(0));
    writer.finish("{}");
  }
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{5'000, 5'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      ResultWriter(path(), sample_header());
    } catch (const WriteError&) {
      ::_exit(42);
    }
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(WEXITSTATUS(status), 42);
  EXPECT_TRUE(ResultFile(path()).is_complete());
}

TEST_F(InterruptedRun, OneWriterAtATime) {
  ResultWriter first(path(), sample_header());
  first.append(0.0, sample_values(0));
  first.flush();
  try {
    ResultWriter(path(), sample_header());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("is being written by another run"), std::string::npos)
        << error.what();
  }
  std::filesystem::create_symlink(path(), path("link.h5"));
  EXPECT_THROW(ResultWriter(path("link.h5"), sample_header()), InputError);
  first.append(1.0, sample_values(1));
  first.finish("{}");
  EXPECT_EQ(ResultFile(path()).samples(), 2);
  ResultWriter(path("link.h5"), sample_header()).finish("{}");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.h5")));
  EXPECT_EQ(ResultFile(path()).samples(), 0);
}

TEST_F(InterruptedRun, IsReadByTheToolsOfHdf5) {
  if (std::system("h5dump --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "h5dump is not installed (package hdf5-tools)";
  ResultWriter writer(path(), sample_header());
  for (long row = 0; row < 3; ++row)
    writer.append(sample_time(row), sample_values(row));
  writer.finish("{}");
  std::FILE* pipe = ::popen(("h5dump -d /bodies/position '" + path() + "'").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string text(100'000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), pipe));
  EXPECT_EQ(::pclose(pipe), 0);
  for (const char* part : {"( 3, 2, 3 ) / ( H5S_UNLIMITED, 2, 3 )", "(0,0,0): 0, 0.01, 0.02",
                           "(2,1,0): 2.03, 2.04, 2.05", "\"Centre of mass.\"", "\"crank\""})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

}  // namespace
}  // namespace picus::testing
