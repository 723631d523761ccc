// SPDX-License-Identifier: BSD-3-Clause
#include "tests/io/toy_files.h"

#include <gtest/gtest.h>

namespace picus::toy {

Model read(const std::string& text, const Overrides& overrides) {
  Diagnostics diagnostics;
  const Document document = load_document_text("toy.yaml", text, overrides, diagnostics);
  Model model = read_model<Model>(document, diagnostics);
  EXPECT_EQ(diagnostics.text(document.files), "");
  return model;
}

std::string messages(const std::string& text, const Overrides& overrides) {
  Diagnostics diagnostics;
  const Document document = load_document_text("toy.yaml", text, overrides, diagnostics);
  read_model<Model>(document, diagnostics);
  return diagnostics.text(document.files);
}

std::string messages_of_file(const std::string& path, const Overrides& overrides) {
  Diagnostics diagnostics;
  const Document document = load_document(path, overrides, diagnostics);
  read_model<Model>(document, diagnostics);
  return diagnostics.text(document.files);
}

}  // namespace picus::toy
