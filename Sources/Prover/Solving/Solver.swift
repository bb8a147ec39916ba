import CSolver

/// The solver: facts about the variables of a case, and whether any case meets them all. Used by one thread.
final class Solver {
    private let context: UnsafeMutableRawPointer
    /// How many questions were put to it.
    private(set) var questions = 0

    /// What the solver says of the facts so far.
    enum Answer: Sendable {
        case possible, impossible
        /// It did not find out in time.
        case unknown
    }

    /// - Parameter milliseconds: the most that one question may take.
    /// - Throws: ``ProofError/noSolver(_:)`` where z3 is not installed.
    init(milliseconds: Int) throws(ProofError) {
        if let fault = moonshelf_solver_load() { throw .noSolver(String(cString: fault)) }
        guard let context = moonshelf_solver_make() else { throw .noSolver("it does not begin") }
        self.context = context
        // The solver by increments for linear numbers: the tactics of the usual one begin anew with each question.
        try run("(set-option :timeout \(milliseconds))")
    }

    deinit { moonshelf_solver_free(context) }

    func push() throws(ProofError) { try run("(push 1)") }

    func pop(_ levels: Int) throws(ProofError) {
        if levels > 0 { try run("(pop \(levels))") }
    }

    func declare(_ name: String, isCondition: Bool) throws(ProofError) {
        try run("(declare-const \(name.smtName) \(isCondition ? "Bool" : "Int"))")
    }

    func assert(_ condition: Condition) throws(ProofError) { try run("(assert \(condition.smt))") }

    /// Whether the facts can all hold.
    func check() throws(ProofError) -> Answer {
        questions += 1
        switch try run("(check-sat)").trimmed {
        case "sat": return .possible
        case "unsat": return .impossible
        default: return .unknown
        }
    }

    /// Whether the facts can hold together with another.
    func check(with condition: Condition) throws(ProofError) -> Answer {
        questions += 1
        let answer = try run("(push 1)(assert \(condition.smt))(check-sat)(pop 1)")
        return switch answer.trimmed {
        case "sat": .possible
        case "unsat": .impossible
        default: .unknown
        }
    }

    /// Values with which all facts hold; to be asked after ``check()`` has said that there are such.
    func assignment(of numbers: Set<String>, _ conditions: Set<String>) throws(ProofError) -> Assignment {
        var assignment = Assignment()
        for name in numbers {
            assignment.numbers[name] = Int64(smtValue: try run("(get-value (\(name.smtName)))"))
        }
        for name in conditions {
            let text = try run("(get-value (\(name.smtName)))")
            assignment.conditions[name] = text.trimmed.hasSuffix("true))")
        }
        return assignment
    }

    @discardableResult
    private func run(_ commands: String) throws(ProofError) -> String {
        guard let printed = moonshelf_solver_run(context, commands) else { throw .solver("no answer") }
        let text = String(cString: printed)
        if text.contains("(error") { throw .solver(text) }
        return text
    }
}

/// Why nothing can be proved at all.
package enum ProofError: Error, Hashable, Sendable {
    /// z3 cannot be loaded, and why.
    case noSolver(String)
    /// What the solver printed that it should not.
    case solver(String)
}

extension String {
    fileprivate var trimmed: Substring {
        var text = self[...]
        while let last = text.last, last.isWhitespace { text.removeLast() }
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        return text
    }
}

extension Int64 {
    /// The number at the end of `((|name| (- 5)))`.
    fileprivate init?(smtValue text: String) {
        var digits: [Character] = []
        var isNegative = false
        for character in text.reversed() {
            if character.isNumber {
                digits.append(character)
            } else if !digits.isEmpty {
                // A minus stands with a blank before its number.
                if character == " " { continue }
                isNegative = character == "-"
                break
            }
        }
        guard let magnitude = UInt64(String(digits.reversed())) else { return nil }
        if isNegative { self.init(exactly: 0 - Int128(magnitude)) } else { self.init(exactly: magnitude) }
    }
}
