package import Scripting

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
        /// The lines that it printed.
        var printed: [String] = []

        package init(name: String, file: String, line: Int, status: Status, message: String?) {
            self.name = name
            self.file = file
            self.line = line
            self.status = status
            self.message = message
        }
    }

    package var tests: [Test]
    package var coverage: PolicyCoverage
    package var mutants: MutationReport?
    /// The answer of the policy that took most of ``PolicyTestRun/instructionsOfAnswer``.
    package var greatestEffort: PolicyProbes.Effort?

    package init(tests: [Test] = [], coverage: PolicyCoverage = .init(), mutants: MutationReport? = nil) {
        self.tests = tests
        self.coverage = coverage
        self.mutants = mutants
    }

    package var passed: Int { tests.count { $0.status == .pass } }
    package var todo: Int { tests.count { $0.status == .todo } }
    package var failed: Int { tests.count - passed - todo }
    package var isOK: Bool { failed == 0 }

    /// The same of files of other names, such as with the folder of a plugin in front.
    package func renamed(_ name: (String) -> String) -> PolicyTestReport {
        var renamed = self
        renamed.tests = tests.map {
            var test = Test(name: $0.name, file: name($0.file), line: $0.line, status: $0.status, message: $0.message)
            test.printed = $0.printed
            return test
        }
        renamed.coverage = coverage.renamed(name)
        renamed.mutants = mutants?.renamed(name)
        return renamed
    }

    /// Both together, of several policies.
    package mutating func append(_ other: PolicyTestReport) {
        tests += other.tests
        coverage = coverage.merged(with: other.coverage)
        greatestEffort = PolicyProbes.Effort.greater(greatestEffort, other.greatestEffort)
        if let more = other.mutants { mutants = mutants.map { $0.joined(with: more) } ?? more }
    }
}
