// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Serves the page of a result to the browser of this machine.

#include <functional>
#include <memory>
#include <string>

namespace picus::app {

/// What is to be seen now.
struct LiveSource {
  std::string result = {};   ///< the file; empty while there is none
  long run = 0;              ///< another number, another run
  std::string trouble = {};  ///< why there is no newer one, in words; empty when all is well
  bool ends = true;          ///< no other run comes after this one
};

class LiveServer {
 public:
  /// Listens on a port of the loopback interface; any free one when it is 0. Throws InputError when
  /// the port is taken. `source` is called in the thread of run(). `page` is one of live_page().
  LiveServer(std::function<LiveSource()> source, int port, std::string page);
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

/// Prints the address, opens it in a browser unless told not to, and answers until Ctrl-C or
/// SIGTERM. `what` is shown there.
void serve(LiveServer& server, const std::string& what, bool no_browser);

}  // namespace picus::app
