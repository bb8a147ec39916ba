import Circulation
import LuaSyntax

/// A policy as a proof sees it: its tables as the desk reads them, its functions as they are written.
final class PolicyModel {
    let tables: CompiledTables
    let currency: Currency
    private(set) var functions: [DecisionPoint: Closure] = [:]
    /// By the number that rows give them.
    private(set) var conditions: [Int: Closure] = [:]
    let file: String
    private let chunks: [Chunk]

    /// Runs a policy's file.
    ///
    /// - Parameters:
    ///   - chunks: the policy's file first, then those that it requires.
    ///   - tables: as they were read of it.
    ///   - path: where nothing depends on a case.
    /// - Throws: ``Unsettled`` for what a proof cannot follow.
    init(_ chunks: [Chunk], tables: CompiledTables, _ interpreter: Interpreter) throws {
        (self.tables, self.chunks) = (tables, chunks)
        currency = interpreter.currency
        file = chunks.first?.name ?? "policy.lua"
        let given = Box(.null)
        interpreter.words["policy"] = .word(
            Word(name: "policy") { _, arguments, _ in
                given.value = arguments.first ?? .null
                return [given.value]
            })
        interpreter.requires { name in
            let file = name.split(separator: ".").joined(separator: "/") + ".lua"
            return chunks.first { $0.name == file }
        }
        if let main = chunks.first { _ = try interpreter.run(main) }
        interpreter.words["policy"] = nil
        guard case .table(let table) = given.value else {
            throw Unsettled(file: file, line: 1, message: "the file makes no policy")
        }
        for point in DecisionPoint.allCases {
            switch table[point.rawValue] {
            case .function(let closure): functions[point] = closure
            case .null: continue
            default:
                throw Unsettled(file: file, line: 1, message: "`\(point.rawValue)` is no function of the policy's own")
            }
        }
        let source = tables.source
        try read(source.limits.map(\.conditions), table["limits"])
        try read(source.rules.map(\.conditions), table["rules"])
        try read(source.notices.map(\.conditions), table["notices"])
        try read(source.membership.map(\.conditions), table["membership"])
        var seen: Set<ObjectIdentifier> = []
        Value.table(table).freeze(&seen)
    }

    /// Whether functions ask what the desk would answer.
    private(set) lazy var usesStandard = chunks.contains(where: StandardFinder.finds)

    /// A function as it is written.
    func text(of closure: Closure) -> String? {
        chunks.first { $0.name == closure.file }?.source[closure.body.range]
    }

    private func read(_ rows: [RowConditions], _ value: Value) throws {
        guard case .table(let table) = value else { return }
        for (index, conditions) in rows.enumerated() {
            guard let when = conditions.when else { continue }
            guard case .table(let row) = table[.integer(Int64(index + 1))], case .function(let closure) = row["when"]
            else { throw Unsettled(file: file, line: 1, message: "`when` is no function of the policy's own") }
            self.conditions[when] = closure
        }
    }
}

/// Finds the word `standard`.
private struct StandardFinder: LuaVisitor {
    private var isFound = false

    static func finds(_ chunk: Chunk) -> Bool {
        var finder = StandardFinder()
        chunk.walk(&finder)
        return finder.isFound
    }

    mutating func enter(_ expression: Expression) {
        if case .variable(let variable) = expression.kind, variable.name == "standard" { isFound = true }
    }
}

extension Interpreter {
    /// Lets `require` find files, each of which runs once.
    func requires(_ module: @escaping (String) -> Chunk?) {
        let results = Table()
        words["require"] = .word(
            Word(name: "require") { interpreter, arguments, site in
                guard case .text(.known(let name))? = arguments.first else {
                    throw site.unsettled("a file that is not known")
                }
                let known = results[name]
                if !known.isNull { return [known] }
                guard let chunk = module(name) else {
                    throw Raised("require \"\(name)\": there is no such file", at: site)
                }
                let value = try interpreter.run(chunk).first ?? .flag(true)
                results[.text(name)] = value
                return [value]
            })
    }
}

extension Value {
    /// Makes a value stay as it is, with all that is reached from it.
    func freeze(_ seen: inout Set<ObjectIdentifier>) {
        switch self {
        case .table(let table):
            guard seen.insert(ObjectIdentifier(table)).inserted else { return }
            table.isFrozen = true
            for value in table.fields.values { value.freeze(&seen) }
        case .function(let closure):
            guard seen.insert(ObjectIdentifier(closure)).inserted else { return }
            closure.isFrozen = true
            for box in closure.captured.values {
                box.isFrozen = true
                box.value.freeze(&seen)
            }
        default: break
        }
    }
}
