package import Circulation
package import LuaRuntime
package import LuaSyntax

/// Counts which statements and branches of the functions of a policy or a plugin run.
///
/// The marks are calls put into the text that Lua is given: of a word no policy can name otherwise, on the line that is
/// there anyway, so that errors and places stay what they are. Counting costs a call a statement; live policies have
/// none.
package final class PolicyProbes {
    /// What is counted.
    package struct Site: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            /// A statement.
            case line
            /// An arm of an `if`, the unwritten `else` too, and what stands to the right of an `and` or `or`.
            case branch
        }

        package let kind: Kind
        package let file: String
        /// Of a branch where it begins; of an `else` that is not written the `if`.
        package let range: SourceRange
        /// The line on which the function around it begins; 0: it stands in none.
        package let function: Int
        /// The line of the condition that lets it run, the innermost; 0: there is none.
        package let condition: Int
        /// A statement that returns what another function of the policy answers, as it is.
        package let passesOn: Bool
    }

    /// What one answer took of a budget of instructions.
    package struct Effort: Hashable, Sendable {
        /// The work of the policy's function, marks included, in about instructions.
        package let instructions: Int64
        /// Where the function begins.
        package let file: String
        package let line: Int

        package static func greater(_ one: Effort?, _ other: Effort?) -> Effort? {
            guard let one, let other else { return one ?? other }
            return other.instructions > one.instructions ? other : one
        }
    }

    /// The word of the marks.
    static let word = "_probe"

    package let sites: [Site]
    /// How often each site ran, those of loading included.
    package private(set) var counts: [Int]
    /// The statement that ran last since ``forgetLast()``, in any state.
    package private(set) var last: Int?
    /// The statement that ran last in the function of each point that was asked since ``forgetLast()``: where it
    /// answered.
    package private(set) var answers: [DecisionPoint: Int] = [:]
    /// The answer that took most, if answers are given under a budget of instructions.
    package private(set) var greatestEffort: Effort?
    /// The statement that ran last in each function, by the function's line.
    private var trail: [Int: Int] = [:]
    private let texts: [String: [PolicySource.Insertion]]

    /// A file that would grow beyond what a policy may have is not counted.
    package init(_ policy: ParsedPolicy) {
        var collector = ProbeCollector()
        var texts: [String: [PolicySource.Insertion]] = [:]
        for chunk in policy.chunks {
            let before = collector
            collector.begin(chunk.name)
            chunk.walk(&collector)
            let size = collector.insertions.reduce(chunk.source.bytes.count) { $0 + $1.text.utf8.count }
            if size > PolicyBundle.maximumFileSize {
                collector = before
            } else {
                texts[chunk.name] = collector.insertions
            }
        }
        sites = collector.sites
        counts = Array(repeating: 0, count: sites.count)
        self.texts = texts
    }

    package func forgetLast() {
        last = nil
        answers = [:]
    }

    /// Before the function of a point is called.
    func begin() {
        last = nil
        trail = [:]
    }

    /// After the function of a point, which stands at `origin`, was called: what it returned last; or, where it passed
    /// on what another function answered, what that one did.
    func note(_ point: DecisionPoint, _ origin: RuleOrigin) {
        let own = trail[origin.line].flatMap { sites[$0].file == origin.file ? $0 : nil }
        answers[point] = own.flatMap { sites[$0].passesOn ? last : $0 } ?? last
    }

    /// After a function of the policy ran under a budget.
    func spent(_ instructions: Int64, file: String?, line: Int?) {
        guard instructions > greatestEffort?.instructions ?? 0, let file, let line else { return }
        greatestEffort = Effort(instructions: instructions, file: file, line: line)
    }

    /// The text of a file with its marks, for a machine that knows their word.
    package func marked(_ chunk: Chunk) -> String { PolicySource.text(of: chunk, with: insertions(in: chunk.name)) }

    /// Makes the word of the marks known.
    package func define(in state: LuaState) throws {
        try state.define(Self.word) { [unowned self] arguments in
            if let site = arguments[0].integerValue { hit(Int(clamping: site)) }
            return []
        }
    }

    func insertions(in file: String) -> [PolicySource.Insertion] { texts[file] ?? [] }

    private func hit(_ site: Int) {
        guard counts.indices.contains(site) else { return }
        counts[site] &+= 1
        guard sites[site].kind == .line else { return }
        last = site
        trail[sites[site].function] = site
    }
}

/// Finds the places that are counted, and the text of their marks.
private struct ProbeCollector: LuaVisitor {
    private(set) var sites: [PolicyProbes.Site] = []
    private(set) var insertions: [PolicySource.Insertion] = []
    private var file = ""
    /// The lines on which the functions around begin, the innermost last.
    private var functions: [Int] = []
    /// The arms of conditions with the line of each condition, outer ones first.
    private var arms: [(range: SourceRange, line: Int)] = []

    mutating func begin(_ file: String) {
        self.file = file
        insertions = []
        arms = []
    }

    mutating func enter(_ function: FunctionBody) { functions.append(function.start.line) }

    mutating func leave(_ function: FunctionBody) { functions.removeLast() }

    mutating func enter(_ statement: Statement) {
        switch statement.kind {
        case .empty, .label: return
        default: break
        }
        let site = add(.line, statement.range, passesOn: statement.passesOn)
        insert(" \(mark(site));", at: statement.range.start)
        guard case .conditional(let branches, let otherwise) = statement.kind else { return }
        for branch in branches {
            arms.append((branch.block.range, branch.condition.range.start.line))
            addArm(branch.block.range)
        }
        if let otherwise {
            addArm(otherwise.range)
        } else {
            let site = add(.branch, statement.range)
            let end = statement.range.end.offset - "end".utf8.count
            insertions.append(PolicySource.Insertion(offset: end, text: " else \(mark(site)) "))
        }
    }

    mutating func enter(_ expression: Expression) {
        guard case .binary(let binary) = expression.kind else { return }
        for link in binary.links where link.operation == .and || link.operation == .or {
            let site = add(.branch, link.operand.range)
            // The mark answers nothing, so that the value is the operand's.
            insert("(\(mark(site)) or ", at: link.operand.range.start)
            insertions.append(
                PolicySource.Insertion(offset: link.operand.range.end.offset, text: ")", isEnd: true))
        }
    }

    private mutating func addArm(_ range: SourceRange) {
        let site = add(.branch, range)
        insert(" \(mark(site));", at: range.start)
    }

    private mutating func add(
        _ kind: PolicyProbes.Site.Kind, _ range: SourceRange, passesOn: Bool = false
    ) -> Int {
        let arm = arms.last { $0.range.contains(range.start) }
        sites.append(
            PolicyProbes.Site(
                kind: kind, file: file, range: range, function: functions.last ?? 0, condition: arm?.line ?? 0,
                passesOn: passesOn))
        return sites.count - 1
    }

    private mutating func insert(_ text: String, at position: SourcePosition) {
        insertions.append(PolicySource.Insertion(offset: position.offset, text: text))
    }

    private func mark(_ site: Int) -> String { "\(PolicyProbes.word)(\(site))" }
}

extension Statement {
    /// `return f(...)` with a function of the policy's own.
    fileprivate var passesOn: Bool {
        guard case .return(let values) = kind, values.count == 1, let call = values[0].call,
            case .variable(let callee) = call.callee.withoutParentheses.kind
        else { return false }
        return callee.binding != .global
    }
}
