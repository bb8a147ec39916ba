import TextFormats

/// The page about the schema, made of its declarations: docs/conformance-schema.md, and `conformance --schema`.
package enum SchemaPage {
    package static var text: String {
        var lines = [
            "# The schema of neutral facts", "",
            "Written by `make docs` from its declarations in `Conformance/Facts/Schema`; [Other systems' behaviour]"
                + "(conformance.md) says what is done with facts.", "",
            "A neutral fact names no other system's words. It is one line of JSON; each field has one meaning, each operation is a"
                + " code, and a reason is the code with which this desk refuses. A field, word or operation that is not declared"
                + " here is an error: the message names the line, the field, what was expected and what may have been meant.",
            "", "```json", example, "```", "",
        ]
        lines += values + ["", "## Objects", ""]
        for record in Schema.records where record.name != .expect {
            lines += ["### \(title(record.name.rawValue))", "", record.summary, ""] + table(record.fields) + [""]
        }
        lines += operations + ["", "## Results", "", Schema.record(.expect).summary + " null: there is nothing.", ""]
        for group in ResultGroup.allCases {
            lines += ["### \(title(group.rawValue))", ""] + table(group.fields) + [""]
        }
        return lines.joined(separator: "\n").trimmingEnd + "\n"
    }

    private static let example =
        #"{"schema": 1, "id": "LATE-1", "area": "fines", "given": {"rule": {"fine": "0.20"}, "loans": [{"copy": "copy", "due": "#
        + #""now - 3 days"}]}, "steps": [{"op": "return"}], "expect": {"fine": "0.60"}}"#

    private static let values = [
        "## Values", "", "| kind | written as |", "|---|---|",
        "| amount | a text, `\"1.50\"`, in euros; an account that the library owes is negative |",
        "| period | a number and a unit: `3 weeks`, `42 minutes`, `1 month`, `2 open days`, `1 year`; `minutes`, `hours`, `days`,"
            + " `weeks`, `months`, `years`, `open days`. Days and longer units count dates, hours and minutes elapsed time |",
        "| moment | a date (`2026-05-20`), a date with a time of day (`2026-05-20T12:00`, `…T12:00:00Z`, `…T12:00-05:00`; without a"
            + " zone that of the library), or `now` and `today` (those of `given.now`), `loan` (when the loan began) or `due`; each may be followed by `+`"
            + " or `-` and a period or seconds: `now - 3 days`, `loan + 2 open days`, `due + 2 seconds`. What happens on a date"
            + " happens at its noon; a due date stands for the end of the day |",
        "| hours | `08:00-12:00,14:00-19:00`, `all day`, `closed` |",
        "| name | patrons, copies, titles, branches, categories and item types come about by being named |",
        "", "Steps may happen at moments of the past: the clock goes to `at`, later or earlier.",
    ]

    private static var operations: [String] {
        [
            "## Operations", "", "Beside what the table lists, each takes `at`, `times` and `expect`.", "",
            "| code | takes | results | |", "|---|---|---|---|",
        ]
            + SchemaOperation.all.map { operation in
                let operands = operation.operands.map { "`\($0)`" }.joined(separator: " ")
                let results = operation.results.map(\.rawValue).joined(separator: ", ")
                return "| `\(operation.code)` | \(operands) | \(results) | \(operation.summary) |"
            }
    }

    private static func table(_ fields: [SchemaField]) -> [String] {
        ["| field | takes | |", "|---|---|---|"] + fields.map { "| `\($0.name)` | \($0.kind.words) | \($0.summary) |" }
    }

    private static func title(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}

extension String {
    /// Without line ends behind it.
    fileprivate var trimmingEnd: String {
        var text = self[...]
        while text.last == "\n" { text = text.dropLast() }
        return String(text)
    }
}
