import Circulation
package import TextFormats

extension PolicyMatrix {
    /// `{"cells": [{"category", "item_type", "branch", "answer", "fields", "depends"}], "never_match", "never_win",
    /// "uncovered", "functions", "changed": []}`. A value that depends is `"depends"` in `fields`, and what it depends
    /// between stands in `depends`.
    package var json: JSON { JSON { write(to: &$0, difference: nil) } }

    /// The same with what another policy changes in place of the cells.
    package func json(_ difference: MatrixDifference) -> JSON { JSON { write(to: &$0, difference: difference) } }

    package func write(to writer: inout JSONWriter, difference: MatrixDifference?) {
        writer.beginObject()
        writer.key("cells")
        writer.beginArray()
        if difference == nil { writeCells(to: &writer) }
        writer.endArray()
        writer.list("never_match", losing.filter(\.fields.isEmpty)) { writer, row in write(row, to: &writer) }
        writer.list("never_win", losing.filter { !$0.fields.isEmpty }) { writer, row in
            write(row, to: &writer)
            writer.member("fields", row.fields)
        }
        writer.list("uncovered", uncovered) { writer, index in writeNames(index, to: &writer) }
        writer.member("functions", points.map(\.rawValue))
        if let difference {
            difference.write(to: &writer)
        } else {
            writer.key("changed")
            writer.beginArray()
            writer.endArray()
        }
        writer.endObject()
    }

    private func writeCells(to writer: inout JSONWriter) {
        let parts = outcomes.map(\.json)
        for (index, place) in cells.enumerated() {
            let part = parts[Int(place)]
            writer.beginObject()
            writeNames(index, to: &writer)
            writer.member("answer", outcomes[Int(place)].answer.rawValue)
            writer.key("fields")
            writer.value(part.fields)
            if let depends = part.depends {
                writer.key("depends")
                writer.value(depends)
            }
            writer.endObject()
        }
    }

    private func writeNames(_ index: Int, to writer: inout JSONWriter) {
        let (category, itemType, branch) = names(index)
        writer.member("category", category)
        writer.member("item_type", itemType)
        writer.member("branch", branch)
    }

    private func write(_ row: LosingRow, to writer: inout JSONWriter) {
        writer.member("table", row.table.rawValue)
        writer.member("row", Int64(row.row))
        writer.member("file", row.place.file)
        writer.member("line", Int64(row.place.line))
        writer.list("hidden_by", row.hiddenBy) { writer, other in
            writer.member("row", Int64(other))
            writer.member("line", line(of: other, in: row.table).map(Int64.init))
        }
        writer.member("because", row.because)
    }
}

extension MatrixOutcome {
    fileprivate var json: (fields: JSON, depends: JSON?) {
        var object = JSONObject()
        var depends = JSONObject()
        for field in fields {
            object[field.name] = field.value.json
            guard case .depends(let choices) = field.value else { continue }
            depends[field.name] = .array(
                choices.map { choice in
                    [
                        "row": choice.row.map { .integer(Int64($0)) } ?? .null,
                        "value": choice.value?.json ?? .null,
                    ]
                })
        }
        object["limits"] = .array(limits.map { $0.maximum.map { .integer($0) } ?? "unlimited" })
        return (.object(object), depends.isEmpty ? nil : .object(depends))
    }
}
