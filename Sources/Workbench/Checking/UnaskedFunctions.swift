import Circulation
import LuaSyntax

/// Finds what a function waits for and is never asked: the warning `never_asked`.
///
/// `price` is asked about a loan only where a row of `rules` sets `rental`. Without such a row one that looks for a loan, or
/// that looks at nothing else which may cost something, was meant to make loans cost something, and does not.
enum UnaskedFunctions {
    static func findings(
        in tables: CompiledTables, outline: PolicyOutline?, chunk: Chunk?, file: String
    ) -> [Finding] {
        guard let outline, let chunk, let function = outline.function(DecisionPoint.price.rawValue),
            !tables.source.rules.contains(where: isRental),
            // A function that serves several points is asked about loans at the others.
            outline.functions.count(where: { $0.body == function.body }) == 1
        else { return [] }
        let scopes = ScopeAnalysis(chunk)
        var own = PartReads(scopes: scopes)
        function.body.walk(&own)
        if let loan = own.parts["loan"] {
            return [finding(loan, file)]
        }
        var all = PartReads(scopes: scopes)
        for body in called(from: function.body, scopes) { body.walk(&all) }
        let others = ["lines", "listing"]
        guard !all.asksStandard, !others.contains(where: { all.parts[$0] != nil }) else { return [] }
        return [finding(function.key.range, file)]
    }

    private static func isRental(_ row: RuleRow) -> Bool {
        if case .money(let money)? = row.fields["rental"] { money.isPositive } else { false }
    }

    private static func finding(_ range: SourceRange, _ file: String) -> Finding {
        Finding(
            code: "never_asked", severity: .warning, file: file, range: range,
            message:
                "'price' is never asked about a loan: no row of 'rules' sets 'rental', so that borrowing costs nothing")
    }

    /// A function and the local ones that it calls, through any number of others.
    private static func called(from body: FunctionBody, _ scopes: ScopeAnalysis) -> [FunctionBody] {
        var found: [FunctionBody] = []
        var waiting = [body]
        while let next = waiting.popLast() {
            if found.contains(next) { continue }
            found.append(next)
            var calls = Calls(scopes: scopes)
            next.walk(&calls)
            waiting += calls.bodies
        }
        return found
    }

    private struct Calls: LuaVisitor {
        let scopes: ScopeAnalysis
        private(set) var bodies: [FunctionBody] = []

        mutating func enter(_ expression: Expression) {
            if let callee = expression.call?.callee, let body = scopes.function(callee) { bodies.append(body) }
        }
    }

    /// The fields that are read of parameters, each where it is read first, and whether the desk's own answer is asked for.
    private struct PartReads: LuaVisitor {
        let scopes: ScopeAnalysis
        private(set) var parts: [String: SourceRange] = [:]
        private(set) var asksStandard = false

        mutating func enter(_ expression: Expression) {
            switch expression.kind {
            case .variable(let variable):
                if variable.binding == .global, variable.name == "standard" { asksStandard = true }
            case .suffixed:
                guard case .field(let part)? = expression.accessPath?.steps.first else { return }
                if parts[part.name] == nil { parts[part.name] = part.range }
            default: break
            }
        }
    }
}
