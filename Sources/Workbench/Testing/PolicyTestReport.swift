package import TextFormats

/// What the tests of a policy came to.
package struct PolicyTestReport: Sendable {
    package enum Status: String, Sendable {
        case pass, fail, error, todo, timeout
    }

    package struct Test: Sendable {
        package let name: String
        package let file: String
        package let line: Int
        package let status: Status
        /// Why it failed; for a `todo` what is missing.
        package let message: String?
    }

    package var tests: [Test]

    package init(tests: [Test] = []) {
        self.tests = tests
    }

    package var passed: Int { tests.count { $0.status == .pass } }
    package var todo: Int { tests.count { $0.status == .todo } }
    package var failed: Int { tests.count - passed - todo }
    package var isOK: Bool { failed == 0 }

    /// `{"passed","failed","todo","tests":[...]}`
    package var json: JSON {
        [
            "passed": .integer(Int64(passed)), "failed": .integer(Int64(failed)), "todo": .integer(Int64(todo)),
            "tests": .array(
                tests.map { test in
                    [
                        "name": .string(test.name), "file": .string(test.file), "line": .integer(Int64(test.line)),
                        "status": .string(test.status.rawValue), "message": test.message.map { .string($0) } ?? .null,
                    ]
                }),
        ]
    }

    /// Failures with file and line, then the counts.
    package var text: String {
        var lines: [String] = []
        for test in tests where test.status != .pass {
            lines.append("\(test.file):\(test.line): \(test.status.rawValue): \(test.name)")
            if let message = test.message { lines.append("    \(message)") }
        }
        lines.append("\(passed) passed, \(failed) failed, \(todo) to do")
        return lines.joined(separator: "\n")
    }
}
