// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Serves the page of one result to the browser of this machine.

#include <memory>
#include <string>

namespace picus::app {

class LiveServer {
 public:
  /// Listens on a port of the loopback interface; any free one when it is 0. Throws InputError when
  /// the port is taken.
  LiveServer(std::string result, int port);
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;
  ~LiveServer();

  std::string address() const;
  /// Answers until stop() is called, from another thread or a signal handler.
  void run();
  void stop();

 private:
  class Room;
  std::unique_ptr<Room> room_;
};

}  // namespace picus::app
