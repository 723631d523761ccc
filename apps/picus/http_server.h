// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A small HTTP server for the browser of this machine: GET, one request per connection, one thread.
// Everything a stranger can ask for has a limit: connections, bytes of a request, time. Ranges are
// not supported, as RFC 9110 allows: who asks for some gets the whole.

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace picus::app {

struct HttpRequest {
  std::string path;   ///< "/data"
  std::string query;  ///< "samples=7"
  std::string host;   ///< of the header Host

  /// The value of a name in the query; empty when there is none. Nothing is decoded.
  std::string value(const std::string& name) const;
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::shared_ptr<const std::string> body;  ///< shared: many may read it slowly
};

struct HttpLimits {
  std::size_t connections = 64;                 ///< the oldest makes room for a new one
  std::size_t request_bytes = 8192;             ///< line and headers
  std::chrono::milliseconds to_ask{5'000};      ///< from connecting to the end of the request
  std::chrono::milliseconds to_listen{30'000};  ///< without taking a byte of the answer
};

class HttpServer {
 public:
  using Answer = std::function<HttpResponse(const HttpRequest&)>;

  /// Listens on a port of the loopback interface; any free one when it is 0. Throws InputError when
  /// the port is taken.
  HttpServer(int port, Answer answer, const HttpLimits& limits = {});
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  int port() const { return port_; }
  /// Answers until stop() is called, from another thread or a signal handler.
  void run();
  void stop() { is_stopped_ = true; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Connection;

  void accept_all();
  void receive(Connection& connection);
  void send(Connection& connection);
  void reply(Connection& connection);
  static void close(Connection& connection);

  Answer answer_;
  HttpLimits limits_;
  int listener_ = -1, port_ = -1;
  std::atomic<bool> is_stopped_{false};
  std::vector<Connection> connections_;  // the oldest first
};

}  // namespace picus::app
