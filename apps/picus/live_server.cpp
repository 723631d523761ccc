// SPDX-License-Identifier: BSD-3-Clause
#include "apps/picus/live_server.h"

#include <cstdlib>
#include <mutex>

#include <fmt/format.h>
#include <httplib.h>

#include "picus/base/error.h"
#include "picus/report/payload.h"
#include "picus/report/run_page.h"

namespace picus::app {
namespace {

constexpr const char* kLoopback = "127.0.0.1";

}  // namespace

class LiveServer::Room {
 public:
  Room(std::string result, int port) : result_(std::move(result)), page_(report::live_page()) {
    server_.Get("/", [this](const httplib::Request& request, httplib::Response& response) {
      if (is_ours(request, response)) response.set_content(page_, "text/html; charset=utf-8");
    });
    server_.Get("/data", [this](const httplib::Request& request, httplib::Response& response) {
      if (is_ours(request, response)) answer(request, response);
    });
    port_ = port == 0 ? server_.bind_to_any_port(kLoopback)
                      : (server_.bind_to_port(kLoopback, port) ? port : -1);
    if (port_ < 0)
      throw InputError(fmt::format("port {} is taken: give another one, or 0 for any", port));
  }

  std::string address() const { return fmt::format("http://{}:{}/", kLoopback, port_); }
  void run() { server_.listen_after_bind(); }
  void stop() { server_.stop(); }

 private:
  // A page of another site must not read results by a name that leads here.
  bool is_ours(const httplib::Request& request, httplib::Response& response) const {
    const std::string host = request.get_header_value("Host");
    if (host == fmt::format("{}:{}", kLoopback, port_) ||
        host == fmt::format("localhost:{}", port_))
      return true;
    response.status = 403;
    response.set_content("Only this machine may ask.", "text/plain");
    return false;
  }

  // The result as it is now; nothing when the page has that already.
  void answer(const httplib::Request& request, httplib::Response& response) {
    const std::lock_guard<std::mutex> lock(mutex_);  // HDF5 reads for one at a time
    response.set_header("Cache-Control", "no-store");
    try {
      const ResultFile result(result_);
      const std::string seen = request.get_param_value("samples");
      const bool was_complete = request.get_param_value("complete") == "1";
      if (seen == std::to_string(result.samples()) && was_complete == result.is_complete()) {
        response.status = 204;
        return;
      }
      response.set_content(report::payload_of(result), "application/octet-stream");
    } catch (const InputError& error) {
      response.status = 500;
      response.set_content(error.what(), "text/plain; charset=utf-8");
    }
  }

  std::string result_, page_;
  httplib::Server server_;
  std::mutex mutex_;
  int port_ = -1;
};

LiveServer::LiveServer(std::string result, int port)
    : room_(std::make_unique<Room>(std::move(result), port)) {}
LiveServer::~LiveServer() = default;

std::string LiveServer::address() const {
  return room_->address();
}
void LiveServer::run() {
  room_->run();
}
void LiveServer::stop() {
  room_->stop();
}

}  // namespace picus::app
