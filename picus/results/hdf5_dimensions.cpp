// SPDX-License-Identifier: BSD-3-Clause
// Dimension scales: the attributes by which netCDF, xarray and HDFView know that the rows of a
// table are times and its columns bodies. HDF5 has a library for them, which writes just these.
#include <algorithm>
#include <map>

#include "picus/results/hdf5_calls.h"

namespace picus::hdf5 {
namespace {

// An entry of REFERENCE_LIST: a table that has the scale, along this dimension.
struct Use {
  hobj_ref_t table;
  int dimension;
};

hobj_ref_t reference_to(hid_t file, const std::string& path) {
  hobj_ref_t reference{};
  check(H5Rcreate(&reference, file, path.c_str(), H5R_OBJECT, -1));
  return reference;
}

void write_list(hid_t object, const char* name, hid_t type, hsize_t count, const void* values) {
  const Handle space = own(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle attribute =
      own(H5Acreate2(object, name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute.id(), type, values));
}

// A text of fixed length that ends with a zero, as the specification has it.
void write_word(hid_t object, const char* name, const std::string& text) {
  const Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type.id(), text.size() + 1));
  const Handle space = own(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute =
      own(H5Acreate2(object, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute.id(), type.id(), text.c_str()));
}

void write_scales_of(hid_t file, const Dimensions& table) {
  std::vector<hobj_ref_t> references;
  references.reserve(table.scales.size());
  for (const std::string& scale : table.scales)
    references.push_back(reference_to(file, scale));
  std::vector<hvl_t> lists;
  lists.reserve(references.size());
  for (hobj_ref_t& reference : references)
    lists.push_back({1, &reference});
  const Handle type = own(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose);
  write_list(open_object(file, table.path).id(), "DIMENSION_LIST", type.id(), lists.size(),
             lists.data());
}

void write_uses_of(hid_t file, const std::string& scale, const std::vector<Use>& uses) {
  const Handle object = open_object(file, scale);
  write_word(object.id(), "CLASS", "DIMENSION_SCALE");
  write_word(object.id(), "NAME", scale.substr(scale.rfind('/') + 1));
  if (uses.empty()) return;
  const Handle type = own(H5Tcreate(H5T_COMPOUND, sizeof(Use)), H5Tclose);
  check(H5Tinsert(type.id(), "dataset", HOFFSET(Use, table), H5T_STD_REF_OBJ));
  check(H5Tinsert(type.id(), "dimension", HOFFSET(Use, dimension), H5T_NATIVE_INT));
  write_list(object.id(), "REFERENCE_LIST", type.id(), uses.size(), uses.data());
}

}  // namespace

void File::add_names(const std::string& path, const std::vector<std::string>& names) const {
  const Quiet quiet;
  const hsize_t count = names.size();
  const Handle space = own(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle type = text_type();
  const Handle creation = own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_attr_phase_change(creation.id(), 0, 0));  // a short header, as that of tables
  const Handle links = own(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  check(H5Pset_create_intermediate_group(links.id(), 1));
  const Handle dataset = own(H5Dcreate2(file_.id(), path.c_str(), type.id(), space.id(), links.id(),
                                        creation.id(), H5P_DEFAULT),
                             H5Dclose);
  std::vector<const char*> values;
  values.reserve(names.size());
  for (const std::string& name : names)
    values.push_back(name.c_str());
  if (count > 0)
    check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
}

void File::add_link(const std::string& object, const std::string& path) const {
  const Quiet quiet;
  check(H5Lcreate_hard(file_.id(), object.c_str(), file_.id(), path.c_str(), H5P_DEFAULT,
                       H5P_DEFAULT));
}

void File::write_dimensions(const std::vector<Dimensions>& tables) const {
  const Quiet quiet;
  std::map<std::string, std::vector<Use>> uses;
  for (const Dimensions& table : tables) {
    const bool is_scale =
        table.scales.size() == 1 && table.scales.front() == table.path;  // its own, then
    for (std::size_t i = 0; i < table.scales.size(); ++i) {
      std::vector<Use>& list = uses[table.scales[i]];
      if (!is_scale) list.push_back({reference_to(file_.id(), table.path), static_cast<int>(i)});
    }
    if (!is_scale) write_scales_of(file_.id(), table);
  }
  for (const auto& [scale, list] : uses)
    write_uses_of(file_.id(), scale, list);
}

}  // namespace picus::hdf5
