#include "gyrostat/derive/scalar_document.h"

#include <fmt/format.h>

namespace gyrostat::scalar {

std::string FormPrinter::print() {
  begin();
  for (const std::string& sentence : form_.notes) note(sentence);
  variables("Coordinates q", form_.q, false);
  variables("Speeds u", form_.u, false);
  variables("Inputs s", form_.s, false);
  variables("Parameters p, with their values in the model", form_.p, true);
  if (is_readable(form_)) {
    print_equations();
  } else {
    note(
        fmt::format("With {} free speeds the equations are too long to read: {} operations. "
                    "They are written as C, Python or JSON (--format).",
                    form_.nf(), operation_counts(form_)[2].count.all()));
  }
  counts(operation_counts(form_));
  end();
  return std::move(out_);
}

void FormPrinter::print_equations() {
  const ReadableForm readable(form_);
  std::unordered_map<Id, std::string> temporaries;
  for (const Id id : readable.listing.temporaries()) temporaries.emplace(id, temporary(temporaries.size() + 1));
  const std::unique_ptr<MathWriter> write =
      writer(readable.listing, [&](Id id) { return names_.knows(id) ? name(names_.of(id)) : temporaries.at(id); });

  std::vector<Formula> list;
  for (const Id id : readable.listing.temporaries()) list.push_back({temporaries.at(id), write->definition(id)});
  formulas("Common sub-expressions", list);
  for (const Block& block : readable.blocks) {
    if (block.letter == "R") derivatives("Derivatives of the accelerations by x, which is q, then u, then s");
    list.clear();
    for (const Block::Entry& of : block.entries) list.push_back({entry(block, of), write->text(of.value)});
    formulas(block.title, list);
  }
  list.clear();
  for (const Given& given : form_.given)
    list.push_back({rate_of(names_.of(form_.u[given.u].id)), write->text(given.acceleration)});
  formulas("Accelerations that are given", list);

  std::vector<std::string> rows;
  for (const std::uint32_t k : form_.free) rows.push_back(name(names_.of(form_.u[k].id)));
  names("Rows of M and f, in their order: the accelerations of", rows);
  if (form_.loops) texts("Rows of G, in their order", "Row {} of G", form_.loops->rows);
  if (!form_.jacobian) return;
  std::vector<std::string> columns;
  for (const auto* variables : {&form_.q, &form_.u, &form_.s}) {
    for (const Variable& v : *variables) columns.push_back(name(names_.of(v.id)));
  }
  names("Columns of the derivatives, in their order: by", columns);
}

}  // namespace gyrostat::scalar
