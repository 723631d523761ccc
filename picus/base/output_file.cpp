// SPDX-License-Identifier: BSD-3-Clause
#include "picus/base/output_file.h"

#include <cerrno>
#include <cstring>
#include <random>
#include <streambuf>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace picus {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kUsualMode = 0666;  // less the umask

std::string random_suffix() {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device source;
  std::uniform_int_distribution<std::size_t> letter(0, kLetters.size() - 1);
  std::string suffix(12, '\0');
  for (char& c : suffix)
    c = kLetters[letter(source)];
  return suffix;
}

// What a path leads to. A link that leads nowhere stays as it is.
fs::path followed(const fs::path& path) {
  std::error_code problem;
  if (!fs::is_symlink(path, problem)) return path;
  fs::path target = fs::weakly_canonical(path, problem);
  return problem ? path : target;
}

bool is_plain(const fs::path& path) {
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  return !fs::exists(status) || fs::is_regular_file(status);
}

}  // namespace

WriteError cannot_write(const fs::path& path, int error) {
  std::error_code problem;
  if (const fs::path folder = path.parent_path();
      error == ENOENT && !folder.empty() && !fs::exists(folder, problem))
    return WriteError(fmt::format("cannot write '{}': the folder '{}' does not exist",
                                  path.string(), folder.string()));
  return WriteError(
      fmt::format("cannot write '{}': {}", path.string(), std::generic_category().message(error)));
}

FreshFile fresh_file_beside(const fs::path& path) {
  FreshFile fresh;
  fresh.target = followed(path);
  for (int attempt = 0; attempt < 10; ++attempt) {
    fresh.path = fresh.target;
    fresh.path.replace_filename(
        fmt::format(".{}.{}", fresh.target.filename().string(), random_suffix()));
    fresh.descriptor =
        ::open(fresh.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kUsualMode);
    if (fresh.descriptor >= 0) return fresh;
    if (errno != EEXIST) break;
  }
  throw cannot_write(path, errno);
}

// Keeps the first error; what follows it is thrown away.
class OutputFile::Buffer : public std::streambuf {
 public:
  explicit Buffer(int descriptor) : descriptor_(descriptor), bytes_(1 << 16) {
    setp(bytes_.data(), bytes_.data() + bytes_.size());
  }
  int error() const { return error_; }

 protected:
  int_type overflow(int_type next) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(next, traits_type::eof())) sputc(static_cast<char>(next));
    return traits_type::not_eof(next);
  }

  int sync() override {
    for (const char* at = pbase(); at < pptr() && error_ == 0;) {
      const ssize_t written = ::write(descriptor_, at, static_cast<std::size_t>(pptr() - at));
      if (written >= 0)
        at += written;
      else if (errno != EINTR)
        error_ = errno;
    }
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    return error_ == 0 ? 0 : -1;
  }

 private:
  int descriptor_;
  int error_ = 0;
  std::vector<char> bytes_;
};

OutputFile::OutputFile(const fs::path& path) : path_(path), stream_(nullptr) {
  if (is_plain(path)) {
    file_ = fresh_file_beside(path);
  } else {
    file_.descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_.descriptor < 0) throw cannot_write(path, errno);
  }
  buffer_ = std::make_unique<Buffer>(file_.descriptor);
  stream_.rdbuf(buffer_.get());
}

OutputFile::~OutputFile() {
  if (file_.descriptor < 0) return;
  ::close(file_.descriptor);
  if (!file_.path.empty()) ::unlink(file_.path.c_str());
}

void OutputFile::commit() {
  stream_.flush();
  int error = buffer_->error();
  // some network folders tell of a full disk only here
  if (::close(std::exchange(file_.descriptor, -1)) != 0 && error == 0) error = errno;
  if (file_.path.empty()) {
    if (error != 0) throw cannot_write(path_, error);
    return;
  }
  if (error == 0 && ::rename(file_.path.c_str(), file_.target.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(file_.path.c_str());
  throw cannot_write(path_, error);
}

void write_file(const fs::path& path, std::string_view text) {
  OutputFile file(path);
  file.stream() << text;
  file.commit();
}

}  // namespace picus
