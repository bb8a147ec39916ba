package import Circulation
import LuaRuntime
package import LuaSyntax

/// A policy as it was read in one currency: its tables made ready, and what of it is Lua.
struct LoadedPolicy {
    let currency: Currency
    let name: String
    let tables: CompiledTables
    /// For each row of each list the constructor that made it, by its number among ``RowMarks``.
    let rowSites: [PolicyTable: [Int]]
    /// Nil where the policy is tables alone: then no question ever enters Lua.
    let lua: PolicyFunctions?
    /// The points at which it has to know the patron's open loans.
    let openLoanPoints: Set<DecisionPoint>
    /// The points of a sweep at which its functions may look at the time of the day.
    let timedPoints: Set<DecisionPoint>
    /// The events that its function at `notify` may tell from others.
    let namedEvents: Set<NotifyEvent>
    /// What it has gathered at points beside what every case has.
    let needs: [DecisionPoint: CaseNeeds]

    /// - Throws: ``PolicyProblems``.
    init(
        _ policy: ParsedPolicy, currency: Currency, limits: LuaLimits, probes: PolicyProbes? = nil,
        takesAnyField: Bool = false
    ) throws(PolicyProblems) {
        let file = policy.bundle.files.first?.name ?? "policy.lua"
        do {
            let chunks = try LoadedPolicy.permitted(policy)
            let machine = try PolicyMachine(chunks: chunks, currency: currency, limits: limits, probes: probes)
            let places = try machine.run(chunks)
            let outline = chunks.first.flatMap { PolicyOutline($0) }
            let reads = chunks.first.map { RuleReads.names(in: $0) } ?? []
            let content = try PolicyReader.read(
                machine.given ?? LuaTable(), file: file, outline: outline, places: places, reads: reads,
                takesAnyField: takesAnyField)
            self.currency = currency
            name = content.name
            rowSites = places.sites
            tables = try content.tables.compiled()
            // What is declared no more reads as nil: a policy that is in force goes on without it.
            let records = policy.fields == .none ? .plain : LibraryCase(policy.fields, withLapsed: true)
            lua = try PolicyFunctions(content, machine: machine, tables: tables, records: records)
            openLoanPoints = LoadedPolicy.openLoanPoints(chunks, isLua: lua != nil)
            needs = LoadedPolicy.needs(chunks, content.tables, isLua: lua != nil)
            namedEvents =
                lua?[.notify] == nil ? [] : Set(NotifyEvent.allCases).intersection(EventWords.events(in: chunks))
            timedPoints = lua == nil ? [] : LoadedPolicy.timedPoints(chunks)
        } catch let problems as PolicyProblems {
            throw problems
        } catch {
            throw PolicyProblems([Finding(PolicyFailure(error, file: file), file: file)])
        }
    }

    /// The tables themselves look at open loans where something is lent, but not for fines and notices.
    private static func openLoanPoints(_ chunks: [Chunk], isLua: Bool) -> Set<DecisionPoint> {
        Set(DecisionPoint.allCases).filter { point in
            guard point == .overdue || point == .fine else { return true }
            guard isLua else { return false }
            let names = PolicyNames(chunks, at: point)
            return ["loans", "overdue", "lost"].contains(where: names.canRead)
        }
    }

    /// Only what the policy says how far back it looks can ask for loans of the past, whatever its functions read.
    private static func needs(
        _ chunks: [Chunk], _ tables: PolicyTables, isLua: Bool
    ) -> [DecisionPoint: CaseNeeds] {
        var needs: [DecisionPoint: CaseNeeds] = [:]
        for point in DecisionPoint.allCases {
            var own = tables.needs(at: point)
            if isLua {
                let names = PolicyNames(chunks, at: point)
                if names.canRead("history") { own.patronHistory = tables.patronWindows }
                if names.canRead("times_lent") { own.titleHistory = tables.titleHistory }
                if names.canRead("owed_since") { own.owedSince = true }
                if point.mayHaveHold, ["of_item_type", "of_item_types"].contains(where: names.canRead) {
                    own.holdsByItemType = true
                }
                if PatronGroup.allCases.contains(where: { names.canRead($0.rawValue) }) {
                    own.linked = true
                    if names.canRead("claimed") { own.linkedClaims = true }
                    if ["same_title", "same_title_claimed"].contains(where: names.canRead) { own.linkedTitle = true }
                }
            }
            if !own.isEmpty { needs[point] = own }
        }
        return needs
    }

    private static func timedPoints(_ chunks: [Chunk]) -> Set<DecisionPoint> {
        Set([DecisionPoint.overdue, .fine, .lost]).filter { point in
            let names = PolicyNames(chunks, at: point)
            return ["now", "hours_overdue"].contains(where: names.canRead)
        }
    }

    /// All files, where each is Lua and none does what a policy may not do.
    private static func permitted(_ policy: ParsedPolicy) throws -> [Chunk] {
        guard !policy.bundle.files.isEmpty else {
            throw PolicyFailure(code: "wrong_type", message: "the bundle has no file")
        }
        let findings = policy.bundle.files.flatMap { file in
            let forbidden = policy[file.name].map { PolicyRestrictions.findings(in: $0, file: file.name) } ?? []
            return policy.faults.filter { $0.file == file.name } + forbidden.filter { $0.severity == .error }
        }
        if !findings.isEmpty { throw PolicyProblems(findings) }
        return policy.chunks
    }
}

/// The functions of a policy and the machine that runs them.
final class PolicyFunctions {
    let machine: PolicyMachine
    let filler: CaseMarshaller
    let conditions: [LuaFunction]
    private let points: [DecisionFunction?]

    struct DecisionFunction {
        let function: LuaFunction
        let origin: RuleOrigin
    }

    /// Nil if there is no function at all.
    init?(
        _ content: PolicyContent, machine: PolicyMachine, tables: CompiledTables, records: LibraryCase
    ) throws {
        if content.functions.isEmpty && content.conditions.isEmpty { return nil }
        self.machine = machine
        conditions = content.conditions
        points = DecisionPoint.allCases.map { point in
            guard let function = content.functions[point] else { return nil }
            let place = function.definedAt
            return DecisionFunction(
                function: function,
                origin: RuleOrigin(field: point.rawValue, file: place?.chunk ?? "", line: place?.line ?? 0))
        }
        for function in Array(content.functions.values) + content.conditions { try machine.state.freeze(function) }
        filler = try CaseMarshaller(
            frame: machine.frame, names: machine.names, calendarMethods: machine.calendarMethods, tables: tables,
            records: records)
    }

    subscript(point: DecisionPoint) -> DecisionFunction? { points[point.ordinal] }
}

extension DecisionPoint {
    /// Whether the case may have a hold: it is asked for, set aside, the reason of a recall, or ready.
    fileprivate var mayHaveHold: Bool {
        switch self {
        case .hold, .checkout, .recall, .notify: true
        default: false
        }
    }

    /// Its place among all points.
    var ordinal: Int {
        switch self {
        case .request: 0
        case .checkout: 1
        case .due: 2
        case .renew: 3
        case .hold: 4
        case .recall: 5
        case .overdue: 6
        case .fine: 7
        case .checkin: 8
        case .lost: 9
        case .price: 10
        case .publish: 11
        case .notify: 12
        case .expiry: 13
        }
    }
}

extension Finding {
    /// A policy's failure as a finding of a check.
    package init(_ failure: PolicyFailure, file: String) {
        self.init(
            code: failure.code, severity: .error, file: failure.file ?? file,
            position: SourcePosition(line: failure.line ?? 1, column: 1, offset: 0), message: failure.message)
    }
}

extension PolicyFailure {
    /// What went wrong in Lua, or in what Lua asked of us, as the policy's own fault.
    init(_ error: any Error, file: String?) {
        switch error {
        case let failure as PolicyFailure: self = failure
        case let problems as PolicyProblems: self = problems.failure
        case let error as LuaError:
            self.init(code: error.code.word, message: error.message, file: error.chunk ?? file, line: error.line)
        default: self.init(code: "lua_error", message: "\(error)", file: file)
        }
    }
}
