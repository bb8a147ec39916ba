import Circulation
import Prover
package import TextFormats

extension PolicyMatrix {
    /// `{"cells": [{"category", "item_type", "branch", "answer", "fields", "outcomes"}], "never_match", "never_win",
    /// "uncovered", "unreached", "functions", "changed": []}`. A field of several outcomes is a list of `{"row", "value", "where": []}`, of which
    /// the first counts whose conditions hold. `outcomes` has what rows refuse and functions decide of some cases of the combination: `{"point",
    /// "answer", "code", "file", "line", "where": [], "because": {"file", "line", "message"}}`.
    package var json: JSON { JSON { write(to: &$0, difference: nil) } }

    /// The same with what another policy changes in place of the cells; `decisions` has what the two decide differently.
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
        writer.list("unreached", unreached) { writer, answer in
            writer.member("point", answer.point.rawValue)
            writer.member("file", answer.file)
            writer.member("line", Int64(answer.line))
        }
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
            writer.key("outcomes")
            writer.value(part.outcomes)
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
    fileprivate var json: (fields: JSON, outcomes: JSON) {
        var object = JSONObject()
        for field in fields { object[field.name] = field.value.json }
        object["limits"] = .array(limits.map(\.json))
        let refused = refusals.map { refusal -> JSON in
            [
                "point": "checkout", "answer": "deny", "code": .string(refusal.code),
                "where": .array(refusal.condition.list.map { .string($0) }),
            ]
        }
        return (.object(object), .array(refused + functions.map { .object($0.json) }))
    }
}

extension MatrixOutcome.FunctionDecision {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["point": .string(point.rawValue)]
        if let outcome, because == nil {
            object["answer"] = .string(outcome.words)
            if let code = outcome.code { object["code"] = .string(code) }
            object["file"] = .string(outcome.file)
            object["line"] = .integer(Int64(outcome.line))
        }
        object["where"] = .array((outcome?.conditions ?? []).map { .string($0.words) })
        if let because {
            object["because"] = [
                "file": .string(because.file), "line": .integer(Int64(because.line)),
                "message": .string(because.message),
            ]
        }
        return object
    }
}

extension MatrixOutcome.Limit {
    /// The number, or with what it counts where that is not all open loans: `1 of this title within 28 days`.
    fileprivate var json: JSON {
        guard let maximum else { return "unlimited" }
        return counting.isEmpty ? .integer(maximum) : .string("\(maximum) \(counting)")
    }
}
