package import Circulation

/// The cases of a point that two policies may decide differently: those that go a way through both on which something
/// differs. Used by one thread.
package final class DifferingCases {
    private var ways: [[Literal]] = []
    /// Where ways cannot be followed to their ends, and why; each once.
    package private(set) var open: [Unsettled] = []
    private lazy var variables = ways.reduce(into: Set<String>()) { names, way in
        for literal in way { literal.condition.collect(into: &names) }
    }
    private let texts: Texts
    private let records: LibraryCase
    /// Those of both policies.
    private let limits: [LimitRow]
    private let library: Library

    init(_ texts: Texts, _ records: LibraryCase, _ limits: [LimitRow], _ library: Library) {
        (self.texts, self.records, self.limits, self.library) = (texts, records, limits, library)
    }

    /// - Parameter reason: why the way is not known to its end.
    func add(_ way: [Literal], open reason: Unsettled? = nil) {
        ways.append(way)
        if let reason, !open.contains(reason) { open.append(reason) }
    }

    /// Whether a case may be one of them. It is, where something that a way asks is not to be read in a case.
    package func mayHave(_ question: Case) -> Bool {
        guard !ways.isEmpty else { return false }
        guard ProofDomain.today.contains(Int64(question.today.dayNumber)) else { return true }
        let assignment = CaseReading(question, records, texts, limits, library).assignment(of: variables)
        return ways.contains { way in
            way.allSatisfy { assignment.value($0.condition).map { [holds = $0.holds] in $0 == holds } ?? true }
        }
    }
}
