package import TextFormats

extension PolicyTestReport {
    /// `{"passed","failed","todo","tests":[...],"coverage":{...},"mutants":{...}}`
    package var json: JSON { json(withCoverage: true) }

    /// The same, without the last two where no policy was tested.
    package func json(withCoverage: Bool) -> JSON {
        var object: JSONObject = [
            "passed": .integer(Int64(passed)), "failed": .integer(Int64(failed)), "todo": .integer(Int64(todo)),
            "tests": .array(
                tests.map { test in
                    var object: JSONObject = [
                        "name": .string(test.name), "file": .string(test.file), "line": .integer(Int64(test.line)),
                        "status": .string(test.status.rawValue), "message": test.message.map { .string($0) } ?? .null,
                    ]
                    if !test.printed.isEmpty { object["printed"] = .array(test.printed.map { .string($0) }) }
                    return .object(object)
                }),
        ]
        if withCoverage {
            object["coverage"] = coverage.json
            object["mutants"] = (mutants ?? MutationReport()).json
        }
        return .object(object)
    }

    /// Failures with file and line, and what tests print, then the counts.
    package var text: String {
        var lines: [String] = []
        for test in tests where test.status != .pass || !test.printed.isEmpty {
            lines.append("\(test.file):\(test.line): \(test.status.rawValue): \(test.name)")
            if let message = test.message { lines.append("    \(message)") }
            lines += test.printed.map { "    | \($0)" }
        }
        lines.append("\(passed) passed, \(failed) failed, \(todo) to do")
        return lines.joined(separator: "\n")
    }

    /// The Test Anything Protocol, version 13: a line a test, with what went wrong beneath as YAML.
    package var tap: String {
        var lines = ["TAP version 13", "1..\(tests.count)"]
        for (index, test) in tests.enumerated() {
            // What is to do is marked as such and never fails.
            let isOK = test.status == .pass || (test.status == .todo && test.message == Self.passesAlready)
            let directive = test.status == .todo ? " # TODO \(test.message ?? "")" : ""
            lines.append("\(isOK ? "ok" : "not ok") \(index + 1) - \(Self.tapSafe(test.name))\(directive)")
            guard test.status != .pass, test.status != .todo else { continue }
            lines.append("  ---")
            lines.append("  severity: \(test.status.rawValue)")
            lines.append("  message: \(JSON.string(test.message ?? "").text())")
            lines.append("  at: \(JSON.string("\(test.file):\(test.line)").text())")
            lines.append("  ...")
        }
        return lines.joined(separator: "\n")
    }

    /// What is said of a test that is to do and passes.
    package static let passesAlready = "passes already; make it a test"

    /// A number sign would begin a directive.
    private static func tapSafe(_ name: String) -> String {
        name.replacing("#", with: "\\#").replacing("\n", with: " ")
    }

    /// The XML that build servers read: a suite a file, a case a test.
    package var junit: String {
        var files: [String] = []
        for test in tests where !files.contains(test.file) { files.append(test.file) }
        let suites = files.map { file in
            let own = PolicyTestReport(tests: tests.filter { $0.file == file })
            let errors = own.tests.count { $0.status == .error || $0.status == .timeout }
            let attributes =
                "name=\"\(Self.escaped(file))\" tests=\"\(own.tests.count)\" failures=\"\(own.failed - errors)\" "
                + "errors=\"\(errors)\" skipped=\"\(own.todo)\""
            return (["  <testsuite \(attributes)>"] + own.tests.map(Self.testcase) + ["  </testsuite>"])
                .joined(separator: "\n")
        }
        return (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"] + suites + ["</testsuites>"])
            .joined(separator: "\n")
    }

    private static func testcase(_ test: Test) -> String {
        let attributes =
            "name=\"\(escaped(test.name))\" classname=\"\(escaped(test.file))\" file=\"\(escaped(test.file))\" "
            + "line=\"\(test.line)\""
        let message = "message=\"\(escaped(test.message ?? ""))\""
        let place = escaped("\(test.file):\(test.line): \(test.message ?? "")")
        let inner: String? =
            switch test.status {
            case .pass: nil
            case .todo: "<skipped \(message)/>"
            case .fail: "<failure \(message)>\(place)</failure>"
            case .error, .timeout: "<error type=\"\(test.status.rawValue)\" \(message)>\(place)</error>"
            }
        guard let inner else { return "    <testcase \(attributes)/>" }
        return "    <testcase \(attributes)>\n      \(inner)\n    </testcase>"
    }

    /// Text for XML; characters that XML has no way to write become U+FFFD.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
