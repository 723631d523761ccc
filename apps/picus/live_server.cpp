// SPDX-License-Identifier: BSD-3-Clause
#include "apps/picus/live_server.h"

#include <utility>

#include <fmt/format.h>

#include "apps/picus/http_server.h"
#include "picus/base/error.h"
#include "picus/report/payload.h"
#include "picus/report/run_page.h"

namespace picus::app {
namespace {

constexpr const char* kLoopback = "127.0.0.1";

std::shared_ptr<const std::string> shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

}  // namespace

class LiveServer::Room {
 public:
  Room(std::string result, int port)
      : result_(std::move(result)),
        page_(shared(report::live_page())),
        server_(port, [this](const HttpRequest& request) { return answer(request); }) {}

  std::string address() const { return fmt::format("http://{}:{}/", kLoopback, server_.port()); }
  void run() { server_.run(); }
  void stop() { server_.stop(); }

 private:
  HttpResponse answer(const HttpRequest& request) {
    // A page of another site must not read results by a name that leads here.
    if (request.host != fmt::format("{}:{}", kLoopback, server_.port()) &&
        request.host != fmt::format("localhost:{}", server_.port()))
      return {403, "text/plain", shared("Requests from this machine only.")};
    if (request.path == "/") return {200, "text/html; charset=utf-8", page_};
    if (request.path != "/data") return {404, "text/plain", shared("Not Found")};
    try {
      return data(request);
    } catch (const InputError& error) {
      return {500, "text/plain; charset=utf-8", shared(error.what())};
    }
  }

  // The result as it is now; nothing when the page has that already.
  HttpResponse data(const HttpRequest& request) {
    const ResultFile result(result_);
    const std::string state = fmt::format("{} {}", result.samples(), result.is_complete() ? 1 : 0);
    if (state == request.value("samples") + " " + request.value("complete")) return {204, "", {}};
    if (state != state_ || !payload_) {
      payload_ = shared(report::payload_of(result));
      state_ = state;
    }
    return {200, "application/octet-stream", payload_};
  }

  std::string result_;
  std::shared_ptr<const std::string> page_, payload_;
  std::string state_;  // of the payload
  HttpServer server_;
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
