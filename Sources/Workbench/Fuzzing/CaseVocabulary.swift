import Circulation
import LuaSyntax
import Scripting

/// The values that a policy itself names, so that random cases come close to where it decides one way or the other.
struct CaseVocabulary: Sendable {
    /// Each with one that the policy does not know.
    var categories: [String]
    var itemTypes: [String]
    var branches: [String]
    var channels: [String]
    /// What a field of that name is compared with.
    var texts: [String: [String]] = [:]
    /// Short texts anywhere in functions and tables.
    var words: [String] = []
    /// Whole numbers with their neighbours, ascending, none negative.
    var integers: [Int64]
    /// Minor units with their neighbours.
    var amounts: [Int64]
    var dates: [CivilDate] = []
    /// The earliest time of day that the policy names.
    var earliestTime: CivilTime?
    /// Names that the source reads; a field that none of them is cannot matter to a function.
    var reads: Set<String> = []
    /// Names that are no field of a case: those of `extra`, for all that can be told.
    var extras: [String] = []
    /// Points with a function of their own.
    var functions: [DecisionPoint] = []
    /// Whether rows ask functions.
    var hasConditions = false

    init(_ bundle: PolicyBundle, tables: CompiledTables) {
        var collector = WordCollector()
        for file in bundle.files {
            let chunk = try? LuaParser.parse(
                file.source, chunk: file.name, maximumSize: PolicyBundle.maximumFileSize)
            guard let chunk else { continue }
            chunk.walk(&collector)
            guard file == bundle.files.first, let outline = PolicyOutline(chunk) else { continue }
            functions = DecisionPoint.allCases.filter { outline[$0.rawValue] != nil }
        }
        let source = tables.source
        let rows = source.limits.map(\.conditions) + source.rules.map(\.conditions) + source.notices.map(\.conditions)
        hasConditions = rows.contains { $0.when != nil }
        categories = Self.values(rows.flatMap { $0.categories ?? [] } + (collector.texts["category"] ?? []))
        itemTypes = Self.values(rows.flatMap { $0.itemTypes ?? [] } + (collector.texts["item_type"] ?? []))
        let places = rows.flatMap { ($0.branches ?? []) + ($0.copyBranches ?? []) + ($0.homeBranches ?? []) }
        branches = Self.values(places + (collector.texts["branch"] ?? []) + (collector.texts["home_branch"] ?? []))
        channels = rows.flatMap { $0.channels ?? [] } + (collector.texts["channel"] ?? [])
        let numbers = collector.integers.union(source.limits.compactMap(\.maximum))
        integers = Set(([0, 1, 2] + numbers.flatMap { [$0 - 1, $0, $0 + 1] }).filter { (0...5_000).contains($0) })
            .sorted()
        let sums = collector.amounts.flatMap { [$0 - 1, $0, $0 + 1] }
        amounts = Set(([0, 1, 1_000] + sums).filter { (0...100_000_000).contains($0) }).sorted()
        texts = collector.texts.merging(collector.lookedUp) { $0 + $1 }
        dates = collector.dates.sorted()
        earliestTime = collector.times.min()
        reads = collector.reads
        let known = Set(
            PolicyRecords.casePaths.flatMap { $0.split(separator: ".").map { String($0.prefix { $0 != "[" }) } }
        )
        .union(RuleField.all.map(\.name)).union(PolicyWord.names).union(RowConditions.names)
        .union(PolicyKey.noticeFields + PolicyKey.limitFields + PolicyKey.all)
        words = collector.words.subtracting(known).sorted()
        extras = collector.reads.subtracting(known).sorted()
    }

    private static func values(_ found: [String]) -> [String] {
        var values: [String] = []
        for value in found where !values.contains(value) { values.append(value) }
        return values + (values.contains("other") ? [] : ["other"])
    }
}

/// Collects names, literals and what fields are compared with.
private struct WordCollector: LuaVisitor {
    private(set) var texts: [String: [String]] = [:]
    private(set) var words: Set<String> = []
    private(set) var integers: Set<Int64> = []
    private(set) var amounts: Set<Int64> = []
    private(set) var dates: Set<CivilDate> = []
    private(set) var times: Set<CivilTime> = []
    private(set) var reads: Set<String> = []
    /// The keys of tables in local variables, and the fields that are looked up in them.
    private var keys: [String: [String]] = [:]
    private var lookups: [(table: String, field: String)] = []

    /// For each field that is looked up in a table, the keys of that table.
    var lookedUp: [String: [String]] {
        var found: [String: [String]] = [:]
        for lookup in lookups { found[lookup.field, default: []] += keys[lookup.table] ?? [] }
        return found
    }

    mutating func enter(_ statement: Statement) {
        guard case .local(let declarations, let values) = statement.kind else { return }
        for (declaration, value) in zip(declarations, values) {
            guard case .table(let table) = value.kind else { continue }
            keys[declaration.name] = table.entries.compactMap { $0.name?.name }
        }
    }

    mutating func enter(_ expression: Expression) {
        switch expression.kind {
        case .integer(let value): integers.insert(value)
        case .number(let value): if let whole = Int64(exactly: value.rounded()) { integers.insert(whole) }
        case .string: addText(expression)
        case .suffixed(let suffixed): addSuffixed(expression, suffixed)
        case .binary(let binary): addComparison(binary)
        case .table(let table):
            for entry in table.entries {
                if let name = entry.name?.name, RuleField.named[name] == nil, name.utf8.count <= 40 {
                    words.insert(name)
                }
            }
        default: break
        }
    }

    private mutating func addText(_ expression: Expression) {
        guard let text = expression.stringLiteral, !text.isEmpty, text.utf8.count <= 40 else { return }
        if let date = try? CivilDate(parsing: text) {
            dates.insert(date)
        } else if let time = try? CivilTime(parsing: text) {
            times.insert(time)
        } else if !text.contains(" ") {
            words.insert(text)
        }
    }

    private mutating func addSuffixed(_ expression: Expression, _ suffixed: SuffixedExpression) {
        for suffix in suffixed.suffixes {
            switch suffix.kind {
            case .field(let name), .method(let name, _): reads.insert(name.name)
            case .index(let key):
                if let name = key.stringLiteral { reads.insert(name) }
                if let field = key.lastField, case .variable(let table) = suffixed.base.kind {
                    lookups.append((table.name, field))
                }
            case .call: break
            }
        }
        guard let call = expression.call, case .variable(let word) = call.callee.kind, word.binding == .global,
            word.name == "money", let text = call.arguments.first?.stringLiteral,
            let money = try? Money(parsing: text.split(separator: " ").first.map(String.init) ?? "", currency: .eur)
        else { return }
        amounts.insert(money.minorUnits)
    }

    private mutating func addComparison(_ binary: BinaryExpression) {
        // What follows the first operator is joined to the outcome of the comparison.
        guard let link = binary.links.first, link.operation == .equal || link.operation == .notEqual
        else { return }
        for (side, other) in [(binary.first, link.operand), (link.operand, binary.first)] {
            guard let text = other.stringLiteral, let name = side.lastField else { continue }
            if !texts[name, default: []].contains(text) { texts[name, default: []].append(text) }
        }
    }
}

extension Expression {
    /// The name of the field that is read last.
    fileprivate var lastField: String? {
        guard case .suffixed(let suffixed) = withoutParentheses.kind else { return nil }
        switch suffixed.suffixes.last?.kind {
        case .field(let name): return name.name
        case .index(let key): return key.stringLiteral
        default: return nil
        }
    }
}
