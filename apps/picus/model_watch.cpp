// SPDX-License-Identifier: BSD-3-Clause
#include "apps/picus/model_watch.h"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/picus/findings.h"
#include "apps/picus/terminal.h"
#include "picus/base/error.h"
#include "picus/base/passing_folder.h"
#include "picus/results/result_file.h"
#include "picus/runs/suspicions.h"

namespace picus::app {

/// A child process whose words are kept.
class Child {
 public:
  explicit Child(std::vector<std::string> words) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw InputError("no pipe for a run");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_adddup2(&actions, ends[1], stream);
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words)
      pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const int trouble =
        ::posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    reading_ = ends[0];
    ::fcntl(reading_, F_SETFL, O_NONBLOCK);  // NOLINT(cppcoreguidelines-pro-type-vararg)
    if (trouble != 0) {
      ::close(reading_);
      throw InputError("picus cannot start itself");
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (!is_over_) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(reading_);
  }

  /// Its exit code once it has ended.
  std::optional<int> ended() {
    int status = 0;
    const bool is_over = ::waitpid(pid_, &status, WNOHANG) == pid_;
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; (n = ::read(reading_, buffer.data(), buffer.size())) > 0;)
      words_.append(buffer.data(), static_cast<std::size_t>(n));
    if (!is_over) return {};
    is_over_ = true;
    constexpr int kKilled = 128;
    return WIFEXITED(status) ? WEXITSTATUS(status) : kKilled + WTERMSIG(status);
  }
  const std::string& words() const { return words_; }

 private:
  pid_t pid_ = -1;
  int reading_ = -1;
  bool is_over_ = false;
  std::string words_;
};

namespace {

namespace fs = std::filesystem;

// How often files are looked at.
constexpr std::chrono::milliseconds kPause{150};

// What tells whether a file is another one than before.
using Stamp = std::pair<fs::file_time_type, std::uintmax_t>;

Stamp stamp_of(const std::string& path) {
  std::error_code missing;
  return {fs::last_write_time(path, missing), fs::file_size(path, missing)};
}

// Model files, tables and meshes; those of included folders are looked for beside the model.
std::vector<std::string> files_of(const LoadedModel& loaded) {
  std::vector<std::string> files;
  for (const SourceFile& file : loaded.document.files)
    if (!file.is_override) files.push_back(file.name);
  const fs::path folder = fs::path(files.front()).parent_path();
  for (const Named<TablePart>& table : loaded.model.tables)
    if (!table.value.file.empty()) files.push_back((folder / table.value.file).string());
  for (const Named<BodyPart>& body : loaded.model.bodies)
    if (body.value.shape && std::holds_alternative<MeshShape>(*body.value.shape))
      files.push_back((folder / std::get<MeshShape>(*body.value.shape).file).string());
  return files;
}

}  // namespace

class ModelWatch::Work {
 public:
  Work(ModelArguments model, std::vector<std::string> options)
      : model_(std::move(model)), options_(std::move(options)), thread_([this] { watch(); }) {}
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work() {
    is_stopped_ = true;
    thread_.join();
  }

  LiveSource source() const {
    const std::lock_guard lock(mutex_);
    return source_;
  }

 private:
  void watch() {
    try {
      while (!is_stopped_) {
        if (has_changed()) begin();
        look_at_run();
        std::this_thread::sleep_for(kPause);
      }
    } catch (const std::exception& error) {
      set_trouble(error.what());
      print_message("picus: {}\n", error.what());
    }
  }

  // An editor may write a file in several pieces: it is read when it has come to rest.
  bool has_changed() {
    std::map<std::string, Stamp> now{{model_.model, stamp_of(model_.model)}};
    for (const auto& [file, stamp] : stamps_)
      now[file] = stamp_of(file);
    const bool is_resting = now == seen_;
    seen_ = now;
    return is_resting && now != stamps_;
  }

  void begin() {
    child_.reset();
    const bool is_first = number_ == 0;
    stamps_ = seen_;
    try {
      const LoadedModel loaded = model_.load();
      for (const std::string& file : files_of(loaded))
        stamps_[file] = stamp_of(file);
      seen_ = stamps_;
      std::vector<Finding> findings = suspicions_of(loaded);
      std::erase_if(findings, [](const Finding& f) { return f.level != Finding::Level::kWarning; });
      print_message("{}{}\n", to_text(findings, stderr),
                    is_first ? "running" : "changed, running again");
    } catch (const InputError& error) {
      ++number_;
      print_message("{}\n", error.what());
      set_trouble(error.what());
      return;
    }
    running_ = (folder_.path() / fmt::format("run{}.h5", ++number_)).string();
    std::vector<std::string> words{"picus", "run", model_.model, "-o", running_, "-q"};
    for (const std::string& set : model_.set)
      words.insert(words.end(), {"--set", set});
    if (model_.allow_outside) words.emplace_back("--allow-outside");
    words.insert(words.end(), options_.begin(), options_.end());
    begun_ = std::chrono::steady_clock::now();
    child_ = std::make_unique<Child>(std::move(words));
  }

  // Shows the run as soon as it has samples.
  void look_at_run() {
    if (!child_) return;
    const std::optional<int> code = child_->ended();
    std::error_code ignored;
    if (source().result != running_ && fs::exists(running_, ignored)) show();
    if (!code) return;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun_;
    if (*code == 0) {
      print_message("done in {:.2g} s\n{}", taken.count(), child_->words());
    } else {
      print_message("{}", child_->words());
      // a run that failed on its way says so in its result
      if (source().result != running_) set_trouble(child_->words());
    }
    child_.reset();
  }

  void show() {
    const std::lock_guard lock(mutex_);
    const std::string old = std::exchange(source_.result, running_);
    source_.run = number_;
    source_.trouble.clear();
    std::error_code ignored;
    if (!old.empty()) fs::remove(old, ignored);
  }

  void set_trouble(const std::string& words) {
    const std::lock_guard lock(mutex_);
    source_.trouble = words;
  }

  ModelArguments model_;
  std::vector<std::string> options_;
  PassingFolder folder_;
  std::map<std::string, Stamp> stamps_;  ///< of the files that were run
  std::map<std::string, Stamp> seen_;    ///< of the same when they were looked at last
  long number_ = 0;
  std::string running_;
  std::chrono::steady_clock::time_point begun_;
  std::unique_ptr<Child> child_;
  mutable std::mutex mutex_;
  LiveSource source_{.ends = false};
  std::atomic<bool> is_stopped_ = false;
  std::thread thread_;  ///< last: it begins when all others are there
};

ModelWatch::ModelWatch(ModelArguments model, std::vector<std::string> options)
    : work_(std::make_unique<Work>(std::move(model), std::move(options))) {}
ModelWatch::~ModelWatch() = default;

LiveSource ModelWatch::source() const {
  return work_->source();
}

}  // namespace picus::app
