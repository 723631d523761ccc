// SPDX-License-Identifier: BSD-3-Clause
// The server of 'picus view' beside clients that are slow, many or greedy.
#include "apps/picus/http_server.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace picus::app {
namespace {

using namespace std::chrono_literals;

class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const timeval patience{5, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    is_open_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  Client(Client&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() {
    if (socket_ >= 0) ::close(socket_);
  }
  bool is_open() const { return is_open_; }
  void say(const std::string& text) const {
    ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
  }
  // Until the server closes.
  std::string hear() const {
    std::string all, some(65536, '\0');
    for (ssize_t n = 0; (n = ::recv(socket_, some.data(), some.size(), 0)) > 0;)
      all.append(some.data(), static_cast<std::size_t>(n));
    return all;
  }

 private:
  int socket_;
  bool is_open_ = false;
};

class HttpServerTest : public ::testing::Test {
 protected:
  HttpServerTest()
      : server_(0,
                [this](const HttpRequest& request) {
                  last_ = request;
                  return HttpResponse{200, "text/plain", body_};
                },
                {.connections = 16, .request_bytes = 2000, .to_ask = 300ms, .to_listen = 1000ms}),
        thread_([this] { server_.run(); }) {}
  ~HttpServerTest() override {
    server_.stop();
    thread_.join();
  }
  std::string ask(const std::string& head) const {
    const Client client(server_.port());
    client.say(head + "\r\n\r\n");
    return client.hear();
  }
  static bool has_status(const std::string& answer, int status) {
    return answer.starts_with("HTTP/1.1 " + std::to_string(status) + " ");
  }

  std::shared_ptr<const std::string> body_ = std::make_shared<const std::string>("the answer");
  HttpRequest last_;
  HttpServer server_;
  std::thread thread_;
};

TEST_F(HttpServerTest, AnswersWithPathQueryAndHost) {
  const std::string answer = ask("GET /data?samples=7&complete=0 HTTP/1.1\r\nhOsT:  localhost:1 ");
  EXPECT_TRUE(has_status(answer, 200)) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\nthe answer")) << answer;
  EXPECT_EQ(last_.path, "/data");
  EXPECT_EQ(last_.value("samples"), "7");
  EXPECT_EQ(last_.value("complete"), "0");
  EXPECT_EQ(last_.value("plete"), "");
  EXPECT_EQ(last_.host, "localhost:1");
}

TEST_F(HttpServerTest, RefusesWhatIsNoRequest) {
  EXPECT_TRUE(has_status(ask("POST / HTTP/1.1"), 405));
  EXPECT_TRUE(has_status(ask("nonsense"), 400));
  EXPECT_TRUE(has_status(ask("GET / HTTP/1.1\r\nCookie: " + std::string(5000, 'x')), 431));
}

TEST_F(HttpServerTest, ThousandsOfRangesDoNotInflateTheAnswer) {
  std::string ranges = "bytes=0-9";
  while (ranges.size() < 1900)
    ranges += ",0-9";
  const std::string answer = ask("GET / HTTP/1.1\r\nRange: " + ranges);
  EXPECT_TRUE(has_status(answer, 200)) << answer;
  EXPECT_LT(answer.size(), 400U);
}

TEST_F(HttpServerTest, SlowConnectionsDoNotBlockOthers) {
  std::vector<Client> slow;
  for (int i = 0; i < 15; ++i) {
    slow.emplace_back(server_.port());
    slow.back().say("GET / HT");
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(has_status(ask("GET / HTTP/1.1"), 200));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
  for (const Client& client : slow)
    EXPECT_EQ(client.hear(), "");  // closed when their time was over, a byte now and then or not
}

TEST_F(HttpServerTest, ADripOfBytesDoesNotStretchTheDeadline) {
  const Client client(server_.port());
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 12; ++i) {
    client.say("G");
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_EQ(client.hear(), "");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s);
}

TEST_F(HttpServerTest, ManyConnectionsMakeRoomForNewOnes) {
  std::vector<Client> idle;
  for (int i = 0; i < 100; ++i)
    idle.emplace_back(server_.port());
  EXPECT_TRUE(has_status(ask("GET / HTTP/1.1"), 200));
}

TEST_F(HttpServerTest, ReadersThatTakeNothingAreDropped) {
  body_ = std::make_shared<const std::string>(40'000'000, 'x');
  const Client greedy(server_.port());
  greedy.say("GET / HTTP/1.1\r\n\r\n");
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(ask("GET / HTTP/1.1").size() > 40'000'000U, true);
  std::this_thread::sleep_for(1500ms);
  EXPECT_LT(greedy.hear().size(), 40'000'000U);
}

}  // namespace
}  // namespace picus::app
