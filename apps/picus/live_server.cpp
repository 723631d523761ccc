// SPDX-License-Identifier: BSD-3-Clause
#include "apps/picus/live_server.h"

#include <csignal>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/picus/http_server.h"
#include "apps/picus/terminal.h"
#include "picus/base/error.h"
#include "picus/report/payload.h"

namespace picus::app {
namespace {

constexpr const char* kLoopback = "127.0.0.1";

std::shared_ptr<const std::string> shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

}  // namespace

class LiveServer::Room {
 public:
  Room(std::function<LiveSource()> source, int port, std::string page)
      : source_(std::move(source)),
        page_(shared(std::move(page))),
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
    try {
      if (request.path == "/state") return state();
      if (request.path == "/data") return data();
    } catch (const InputError& error) {
      return {500, "text/plain; charset=utf-8", shared(error.what())};
    }
    return {404, "text/plain", shared("Not Found")};
  }

  // What there is, in a few words: the page asks for more when they change.
  HttpResponse state() {
    const LiveSource source = source_();
    nlohmann::json state{
        {"run", source.run}, {"trouble", source.trouble}, {"ends", source.ends}, {"samples", 0}};
    if (!source.result.empty()) {
      const ResultFile result(source.result);
      state["samples"] = result.samples();
      state["complete"] = result.is_complete();
    }
    return {200, "application/json; charset=utf-8",
            shared(state.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))};
  }

  // The result as it is now.
  HttpResponse data() {
    const LiveSource source = source_();
    if (source.result.empty()) return {204, "", {}};
    const ResultFile result(source.result);
    const std::string state =
        fmt::format("{} {} {}", source.run, result.samples(), result.is_complete());
    if (state != state_ || !payload_) {
      payload_ = shared(report::payload_of(result));
      state_ = state;
    }
    return {200, "application/octet-stream", payload_};
  }

  std::function<LiveSource()> source_;
  std::shared_ptr<const std::string> page_, payload_;
  std::string state_;  // of the payload
  HttpServer server_;
};

LiveServer::LiveServer(std::function<LiveSource()> source, int port, std::string page)
    : room_(std::make_unique<Room>(std::move(source), port, std::move(page))) {}
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

namespace {

LiveServer* serving = nullptr;  // NOLINT: a signal handler reaches nothing else

void on_stop(int) {
  if (serving != nullptr) serving->stop();
}

}  // namespace

void serve(LiveServer& server, const std::string& what, bool no_browser) {
  serving = &server;
  std::signal(SIGINT, on_stop);
  std::signal(SIGTERM, on_stop);
  fmt::print("{}\n", server.address());
  std::fflush(stdout);
  print_message("{} is shown there; Ctrl-C ends it\n", what);
  if (!no_browser) {
    const std::string command = fmt::format("xdg-open {} >/dev/null 2>&1 &", server.address());
    if (std::system(command.c_str()) != 0)  // NOLINT: an address of our own
      print_message("open the address in a browser\n");
  }
  server.run();
  serving = nullptr;
}

}  // namespace picus::app
