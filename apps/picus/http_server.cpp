// SPDX-License-Identifier: BSD-3-Clause
#include "apps/picus/http_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "picus/base/error.h"

namespace picus::app {
namespace {

constexpr std::string_view kEndOfHead = "\r\n\r\n";

int listen_on_loopback(int port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener < 0) return -1;
  const int yes = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  constexpr int kWaiting = 128;
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::listen(listener, kWaiting) == 0)
    return listener;
  ::close(listener);
  return -1;
}

int port_of(int listener) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

const char* reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 431:
      return "Request Header Fields Too Large";
    default:
      return "Internal Server Error";
  }
}

HttpResponse refusal(int status) {
  return {status, "text/plain", std::make_shared<const std::string>(reason_of(status))};
}

bool is_same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

// "GET /data?samples=7 HTTP/1.1", then headers; of those only Host matters. Or a status.
int parse(std::string_view head, HttpRequest& request) {
  const std::string_view line = head.substr(0, head.find("\r\n"));
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || last <= first ||
      !line.substr(last + 1).starts_with("HTTP/"))
    return 400;
  if (line.substr(0, first) != "GET") return 405;
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  if (mark != std::string_view::npos) request.query = target.substr(mark + 1);
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos && at + 2 < head.size();) {
    const std::size_t next = head.find("\r\n", at + 2);
    const std::string_view header = head.substr(at + 2, next - at - 2);
    const std::size_t colon = header.find(':');
    if (colon != std::string_view::npos && is_same_word(header.substr(0, colon), "host"))
      request.host = trimmed(header.substr(colon + 1));
    at = next;
  }
  return 200;
}

}  // namespace

std::string HttpRequest::value(const std::string& name) const {
  for (std::string_view rest = query; !rest.empty();) {
    const std::size_t end = rest.find('&');
    const std::string_view pair = rest.substr(0, end);
    if (pair.starts_with(name + "=")) return std::string(pair.substr(name.size() + 1));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return {};
}

struct HttpServer::Connection {
  int socket = -1;
  Clock::time_point deadline;
  std::string head;                         // received so far, then what is sent before the body
  std::shared_ptr<const std::string> body;  // nothing while the request is received
  std::size_t sent = 0;                     // of head and body together
  bool is_answered = false;
};

HttpServer::HttpServer(int port, Answer answer, const HttpLimits& limits)
    : answer_(std::move(answer)), limits_(limits), listener_(listen_on_loopback(port)) {
  if (listener_ < 0)
    throw InputError(fmt::format("port {} is in use: give another, or 0 for any free one", port));
  port_ = port_of(listener_);
}

HttpServer::~HttpServer() {
  for (Connection& connection : connections_)
    close(connection);
  ::close(listener_);
}

void HttpServer::close(Connection& connection) {
  if (connection.socket >= 0) ::close(std::exchange(connection.socket, -1));
}

void HttpServer::run() {
  constexpr int kPatience = 200;  // [ms]; stop() and deadlines are looked at in between
  std::vector<pollfd> watched;
  while (!is_stopped_) {
    watched.assign(1, {listener_, POLLIN, 0});
    for (const Connection& connection : connections_)
      watched.push_back(
          {connection.socket, static_cast<short>(connection.is_answered ? POLLOUT : POLLIN), 0});
    if (::poll(watched.data(), watched.size(), kPatience) < 0 && errno != EINTR) return;
    const auto now = Clock::now();
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      Connection& connection = connections_[i];
      if (now > connection.deadline)
        close(connection);  // also one that sends a byte now and then
      else if (watched[i + 1].revents != 0 && connection.is_answered)
        send(connection);
      else if (watched[i + 1].revents != 0)
        receive(connection);
    }
    std::erase_if(connections_, [](const Connection& c) { return c.socket < 0; });
    if (watched[0].revents != 0) accept_all();
  }
}

void HttpServer::accept_all() {
  for (;;) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    if (connections_.size() >= limits_.connections) {
      close(connections_.front());
      connections_.erase(connections_.begin());
    }
    connections_.push_back({socket, Clock::now() + limits_.to_ask, {}, nullptr, 0, false});
  }
}

void HttpServer::receive(Connection& connection) {
  std::array<char, 4096> bytes{};
  const ssize_t count = ::recv(connection.socket, bytes.data(), bytes.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    close(connection);
    return;
  }
  connection.head.append(bytes.data(), static_cast<std::size_t>(count));
  if (connection.head.find(kEndOfHead) != std::string::npos ||
      connection.head.size() > limits_.request_bytes)
    reply(connection);
}

void HttpServer::reply(Connection& connection) {
  HttpRequest request;
  int status = 431;
  if (const std::size_t end = connection.head.find(kEndOfHead);
      end != std::string::npos && end <= limits_.request_bytes)
    status = parse(std::string_view(connection.head).substr(0, end), request);
  const HttpResponse response = status == 200 ? answer_(request) : refusal(status);
  connection.body = response.body ? response.body : std::make_shared<const std::string>();
  connection.head = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
      "Accept-Ranges: none\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
      response.status, reason_of(response.status), response.type, connection.body->size());
  connection.is_answered = true;
  connection.deadline = Clock::now() + limits_.to_listen;
  send(connection);
}

void HttpServer::send(Connection& connection) {
  const std::size_t all = connection.head.size() + connection.body->size();
  while (connection.sent < all) {
    const bool in_head = connection.sent < connection.head.size();
    const std::string_view part =
        in_head
            ? std::string_view(connection.head).substr(connection.sent)
            : std::string_view(*connection.body).substr(connection.sent - connection.head.size());
    const ssize_t count = ::send(connection.socket, part.data(), part.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) break;
    connection.sent += static_cast<std::size_t>(count);
    connection.deadline = Clock::now() + limits_.to_listen;
  }
  ::shutdown(connection.socket, SHUT_WR);
  close(connection);
}

}  // namespace picus::app
