import Circulation
import Scripting
package import TextFormats

extension PolicyCoverage {
    /// `{"lines":{"covered","total"},"branches":{},"rows":{},"uncovered":[{"kind","file","line"}]}`
    package var json: JSON {
        [
            "lines": lines.json, "branches": branches.json, "rows": rows.json,
            "uncovered": .array(
                uncovered.map { place in
                    var object: JSONObject = [
                        "kind": .string(place.kind.rawValue), "file": .string(place.file),
                        "line": .integer(Int64(place.line)),
                    ]
                    if let row = place.row {
                        object["table"] = .string(row.table.rawValue)
                        object["row"] = .integer(Int64(row.row + 1))
                    } else {
                        object["column"] = .integer(Int64(place.column))
                    }
                    return .object(object)
                }),
        ]
    }

    /// The three figures, then what no test made run, file by file.
    package var text: String {
        let counts = [("lines", lines), ("branches", branches)] + (hasRows ? [("rows", rows)] : [])
        let figures = counts.map { name, count in "\(name) \(count.percent)% (\(count.covered) of \(count.total))" }
        return (["coverage: " + figures.joined(separator: ", ")] + uncovered.map { "  \($0.words)" })
            .joined(separator: "\n")
    }
}

extension PolicyCoverage.Count {
    fileprivate var json: JSON { ["covered": .integer(Int64(covered)), "total": .integer(Int64(total))] }
}

extension PolicyCoverage.Place {
    /// `university.lua:12: limits row 4 decided in no test`
    var words: String {
        let what =
            switch kind {
            case .line: "this line runs in no test"
            case .branch: "this branch is taken in no test"
            case .row: "\(row.map { "\($0.table.rawValue) row \($0.row + 1)" } ?? "this row") decides in no test"
            }
        return kind == .branch ? "\(file):\(line):\(column): \(what)" : "\(file):\(line): \(what)"
    }
}
