package import Circulation
import LuaSyntax
package import TextFormats

/// A case in which a policy does what no policy should.
package struct FuzzFinding: Hashable, Sendable {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// A function raised an error.
        case crash
        /// A function took too long or too much memory.
        case tooSlow = "too_slow"
        /// A function returned a value that is not an answer.
        case nonAnswer = "non_answer"
        /// One case had two answers.
        case unstable
        case negativeFine = "negative_fine"
        /// A fine was less on a later day.
        case fallingFine = "falling_fine"
        case dueBeforeNow = "due_before_now"
        /// A renewal ended before the loan did.
        case renewBeforeDue = "renew_before_due"
        /// A function answered a day on which the branch is closed.
        case dueOnClosedDay = "due_on_closed_day"
        /// A function answered a day beyond the rule's limit.
        case dueBeyondLimit = "due_beyond_limit"
        /// A stage is answered on one day only, and nothing on the days around it: lost if that day is missed.
        case missedDay = "missed_day"
        /// Who owed more was given more.
        case limitGrowsWithDebts = "limit_grows_with_debts"
    }

    package let code: Code
    package let point: DecisionPoint
    package let file: String
    package let line: Int
    /// What happened, in a sentence.
    package let message: String
    /// The case, as small as it was found to be, in the form that `policy explain --case` reads.
    package let question: JSONObject
    /// A test that fails as long as it is so.
    package let test: String
    /// The lines that ran for the case, with what they saw: how the policy came to it.
    package let ran: [String]
}

/// What a search with random cases came to.
package struct FuzzReport: Sendable {
    /// Repeats the search.
    package let seed: UInt64
    package var findings: [FuzzFinding] = []
    /// How many cases were asked.
    package var cases: Int = 0
    /// What of the policy they ran.
    package var coverage: PolicyCoverage = .init()
    /// For the lines that no case reached.
    var sources: [String: SourceText] = [:]

    /// A line of the policy's functions that no case ran.
    package struct UnreachedLine: Hashable, Sendable {
        package let file: String
        package let line: Int
        /// As it is written, without its indentation.
        package let source: String
    }

    /// By file and line.
    package var unreached: [UnreachedLine] {
        coverage.uncovered.filter { $0.kind == .line }.map { place in
            UnreachedLine(
                file: place.file, line: place.line,
                source: sources[place.file]?.line(place.line).map(PolicyExplanation.trimmed) ?? "")
        }
    }

    /// Below so many cases that nothing was found says little.
    package static let fewCases = 500
    /// How many lines that no case reached are shown.
    private static let mostUnreached = 10

    /// `{"seed","findings":[{"code","point","file","line","message","case","test","ran"}],"cases",
    /// "unreached":[{"file","line","source"}]}`
    package var json: JSON {
        [
            "seed": .integer(Int64(bitPattern: seed)),
            "findings": .array(
                findings.map { finding in
                    [
                        "code": .string(finding.code.rawValue), "point": .string(finding.point.rawValue),
                        "file": .string(finding.file), "line": .integer(Int64(finding.line)),
                        "message": .string(finding.message), "case": .object(finding.question),
                        "test": .string(finding.test), "ran": .array(finding.ran.map { .string($0) }),
                    ]
                }),
            "cases": .integer(Int64(cases)),
            "unreached": .array(
                unreached.map { line in
                    ["file": .string(line.file), "line": .integer(Int64(line.line)), "source": .string(line.source)]
                }),
        ]
    }

    /// Each finding with its place, a test to paste and the lines that ran, then how much was tried.
    package var text: String {
        var lines: [String] = []
        for finding in findings {
            lines.append("\(finding.file):\(finding.line): \(finding.message) (\(finding.code.rawValue))")
            lines.append("    as a test:")
            lines += finding.test.split(separator: "\n", omittingEmptySubsequences: false).map { "        \($0)" }
            if !finding.ran.isEmpty { lines.append("    the lines that ran:") }
            lines += finding.ran.map { "      \($0)" }
            lines.append("")
        }
        lines += unreachedWords
        let found = findings.isEmpty ? "nothing found" : "\(findings.count) found"
        let (statements, branches) = (coverage.lines, coverage.branches)
        let reach =
            statements.total == 0
            ? "" : "; they ran \(statements.percent)% of the lines and \(branches.percent)% of the branches"
        let few = cases < Self.fewCases
        lines.append("\(found) in \(few ? "only " : "")\(cases) cases\(reach) (--seed \(Int64(bitPattern: seed)))")
        if few, findings.isEmpty { lines.append(Self.fewWords) }
        return lines.joined(separator: "\n")
    }

    private static let fewWords =
        "So few cases show little: the policy takes long to answer, or the time was short (--seconds)."

    private var unreachedWords: [String] {
        let unreached = unreached
        if unreached.isEmpty { return [] }
        var words = ["lines that no case reached:"]
        words += unreached.prefix(Self.mostUnreached).map { "  \($0.file):\($0.line) | \($0.source)" }
        let left = unreached.count - Self.mostUnreached
        if left > 0 { words.append("  ... and \(left) more") }
        return words
    }
}
