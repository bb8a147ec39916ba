package import LuaSyntax
package import Prover
package import TextFormats

/// What became of the mutants of a policy.
package struct MutationReport: Sendable {
    /// A change that no test noticed.
    package struct Survivor: Sendable {
        package fileprivate(set) var mutant: Mutant
        /// A test that would notice it, made of a case that the change decides otherwise.
        package let test: String?
        /// What changes, where there is no test of a case.
        package var because: String?
        /// The change makes all tests pass that fail without it.
        package var repairs = false
    }

    /// A change that no test noticed, of which it is not known whether it changes anything.
    package struct Unknown: Sendable {
        package fileprivate(set) var mutant: Mutant
        package let because: Unsettled
    }

    /// The changes that were tried, those without any effect, and of unknown effect, not counted.
    package var total: Int = 0
    package var survived: [Survivor] = []
    /// Changes of which it is proved that no case is decided otherwise.
    package var equivalent: [Mutant] = []
    package var unknown: [Unknown] = []
    /// For the line with its marker.
    package var sources: [String: SourceText] = [:]
    /// Whether tests fail without any change.
    var testsFail = false

    /// The same of files of other names.
    func renamed(_ name: (String) -> String) -> MutationReport {
        var renamed = self
        for index in survived.indices { renamed.survived[index].mutant.file = name(survived[index].mutant.file) }
        for index in unknown.indices { renamed.unknown[index].mutant.file = name(unknown[index].mutant.file) }
        for index in equivalent.indices { renamed.equivalent[index].file = name(equivalent[index].file) }
        renamed.sources = Dictionary(sources.map { (name($0.key), $0.value) }) { first, _ in first }
        return renamed
    }

    /// Both together, of several policies.
    func joined(with other: MutationReport) -> MutationReport {
        var joined = MutationReport(
            total: total + other.total, survived: survived + other.survived, equivalent: equivalent + other.equivalent,
            unknown: unknown + other.unknown, sources: sources.merging(other.sources) { first, _ in first })
        joined.testsFail = testsFail || other.testsFail
        return joined
    }

    /// `{"total","survived":[{"file","line","column","from","to","test","repairs","because"}],"equivalent",
    /// "unknown":[{"file","line","column","from","to","because":{"file","line","message"}}]}`
    package var json: JSON {
        [
            "total": .integer(Int64(total)),
            "survived": .array(
                survived.map { survivor in
                    var object = survivor.mutant.json
                    object["test"] = survivor.test.map { .string($0) } ?? .null
                    object["repairs"] = .bool(survivor.repairs)
                    if let because = survivor.because { object["because"] = .string(because) }
                    return .object(object)
                }),
            "equivalent": .integer(Int64(equivalent.count)),
            "unknown": .array(
                unknown.map { open in
                    var object = open.mutant.json
                    object["because"] = [
                        "file": .string(open.because.file), "line": .integer(Int64(open.because.line)),
                        "message": .string(open.because.message),
                    ]
                    return .object(object)
                }),
        ]
    }

    /// Each change that no test noticed, with its line and a test that would notice it, then the counts.
    package var text: String {
        var lines: [String] = []
        let repairing = survived.filter(\.repairs)
        let unnoticed = testsFail ? "no further test fails" : "no test fails"
        // As long as tests fail, what else they would notice is another question.
        for survivor in repairing.isEmpty ? survived : repairing {
            let mutant = survivor.mutant
            let finding = Finding(
                code: survivor.repairs ? "repairs" : "survived", severity: .warning, file: mutant.file,
                range: mutant.range,
                message: "\(mutant.words): \(survivor.repairs ? "the tests that fail would pass" : unnoticed)")
            lines.append(finding.rendered(with: sources[mutant.file]))
            if let test = survivor.test {
                lines.append("    a test that would notice it:")
                lines += test.split(separator: "\n", omittingEmptySubsequences: false).map { "        \($0)" }
            }
            if let because = survivor.because { lines.append("    it changes \(because)") }
        }
        for open in repairing.isEmpty ? unknown : [] {
            let finding = Finding(
                code: "unknown", severity: .warning, file: open.mutant.file, range: open.mutant.range,
                message: "\(open.mutant.words): \(unnoticed), and whether it changes anything is not known")
            lines.append(finding.rendered(with: sources[open.mutant.file]))
            lines.append("    \(open.because.file):\(open.because.line): \(open.because.message)")
        }
        let repairs = repairing.count
        let caught = total - survived.count
        var counts = "mutants: \(total) tried, \(caught) noticed by a test, \(survived.count - repairs) by none"
        if !equivalent.isEmpty { counts += " (\(equivalent.count) more change nothing)" }
        if !unknown.isEmpty { counts += "; of \(unknown.count) more it is not known whether they change anything" }
        if repairs > 0 { counts += "; \(repairs) would make the tests that fail pass" }
        lines.append(counts)
        return lines.joined(separator: "\n")
    }
}

extension Mutant {
    fileprivate var json: JSONObject {
        [
            "file": .string(file), "line": .integer(Int64(line)), "column": .integer(Int64(column)),
            "from": .string(from), "to": .string(to),
        ]
    }

    /// `10 changed to 11`
    var words: String {
        let from = Mutant.oneLine(self.from)
        if to.isEmpty { return "\(from) taken out" }
        if to == "not (\(self.from))" { return "the condition \(from) negated" }
        if range.start.line != range.end.line, from.hasPrefix("{"), to.hasPrefix("{") {
            return "this row and the next exchanged"
        }
        return "\(from) changed to \(Mutant.oneLine(to))"
    }

    private static func oneLine(_ text: String) -> String {
        let joined = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return joined.count > 60 ? joined.prefix(57) + "..." : joined
    }
}
