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
    /// What the policy takes a field of the library's own for; a field that is not here, for a mark that is there or not.
    var kinds: [String: [Kind]] = [:]
    /// Points with a function of their own.
    var functions: [DecisionPoint] = []
    /// Whether rows ask functions.
    var hasConditions = false

    /// The kinds of values of the library's own fields.
    enum Kind: String, Sendable, CaseIterable { case boolean, number, text }

    init(_ bundle: PolicyBundle, tables: CompiledTables) {
        var collector = WordCollector()
        for file in bundle.files {
            let chunk = try? LuaParser.parse(
                file.source, chunk: file.name, maximumSize: PolicyBundle.maximumFileSize)
            guard let chunk else { continue }
            collector.begin()
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
        let known = Set(CaseVocabulary.knownNames)
        words = collector.words.subtracting(known).sorted()
        // Nobody can tell what a function makes of a value that it is handed.
        extras = collector.reads.subtracting(known).filter {
            !collector.handedOn.contains($0) || collector.kinds[$0] != nil || collector.lookedUp[$0] != nil
        }.sorted()
        kinds = collector.kinds.mapValues { kinds in Kind.allCases.filter(kinds.contains) }
        for name in collector.lookedUp.keys { kinds[name] = [.text] }
    }

    /// What is no word of the library's own.
    private static var knownNames: [String] {
        let fields = PolicyRecords.casePaths.flatMap { path in
            path.split(separator: ".").map { String($0.prefix { $0 != "[" }) }
        }
        return fields + RuleField.all.map(\.name) + PolicyWord.names + RowConditions.names + PolicyKey.noticeFields
            + PolicyKey.limitFields + PolicyKey.all
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
    /// What fields are compared, reckoned or joined with.
    private(set) var kinds: [String: Set<CaseVocabulary.Kind>] = [:]
    /// Fields that are handed to functions.
    private(set) var handedOn: Set<String> = []
    /// The keys of tables in local variables, and the fields that are looked up in them.
    private var keys: [String: [String]] = [:]
    private var lookups: [(table: String, field: String)] = []
    /// The fields that local variables stand for, by declaration.
    private var aliases: [Int: String] = [:]

    /// Before another file: its variables are others.
    mutating func begin() { aliases = [:] }

    /// For each field that is looked up in a table, the keys of that table.
    var lookedUp: [String: [String]] {
        var found: [String: [String]] = [:]
        for lookup in lookups { found[lookup.field, default: []] += keys[lookup.table] ?? [] }
        return found
    }

    mutating func enter(_ statement: Statement) {
        guard case .local(let declarations, let values) = statement.kind else { return }
        for (declaration, value) in zip(declarations, values) {
            if let field = field(value) { aliases[declaration.id] = field }
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
        case .binary(let binary):
            addComparison(binary)
            addKinds(binary)
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
                if let field = field(key), case .variable(let table) = suffixed.base.kind {
                    lookups.append((table.name, field))
                }
            case .call(let arguments): handedOn.formUnion(arguments.compactMap { field($0) })
            }
        }
        addMethods(suffixed)
        guard let call = expression.call, case .variable(let word) = call.callee.kind, word.binding == .global,
            word.name == "money", let text = call.arguments.first?.stringLiteral,
            let money = try? Money(parsing: text.split(separator: " ").first.map(String.init) ?? "", currency: .eur)
        else { return }
        amounts.insert(money.minorUnits)
    }

    /// The name of the field that an expression reads, also through a local variable.
    private func field(_ expression: Expression) -> String? {
        if case .variable(let variable) = expression.withoutParentheses.kind {
            return variable.declaration.flatMap { aliases[$0] }
        }
        return expression.lastField
    }

    /// The same of `(x.level or 0)`.
    private func fieldWithDefault(_ expression: Expression) -> String? {
        if case .binary(let binary) = expression.withoutParentheses.kind, binary.links.count == 1,
            binary.links[0].operation == .or
        {
            return field(binary.first)
        }
        return field(expression)
    }

    /// `x.name:lower()`
    private mutating func addMethods(_ suffixed: SuffixedExpression) {
        if case .method = suffixed.suffixes.first?.kind, let name = field(suffixed.base) {
            kinds[name, default: []].insert(.text)
        }
        for (suffix, next) in zip(suffixed.suffixes, suffixed.suffixes.dropFirst()) {
            guard case .field(let field) = suffix.kind, case .method = next.kind else { continue }
            kinds[field.name, default: []].insert(.text)
        }
    }

    /// `x.level > 3`, `(x.level or 0)`, `x.level * 2`, `x.name .. "!"`.
    private mutating func addKinds(_ binary: BinaryExpression) {
        var left = binary.first
        for link in binary.links {
            for (side, other) in [(left, link.operand), (link.operand, left)] {
                guard let name = fieldWithDefault(side), let kind = link.operation.kind(beside: other) else { continue }
                kinds[name, default: []].insert(kind)
            }
            left = link.operand
        }
    }

    private mutating func addComparison(_ binary: BinaryExpression) {
        // What follows the first operator is joined to the outcome of the comparison.
        guard let link = binary.links.first, link.operation == .equal || link.operation == .notEqual
        else { return }
        for (side, other) in [(binary.first, link.operand), (link.operand, binary.first)] {
            guard let text = other.stringLiteral, let name = field(side) else { continue }
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

    fileprivate var literalKind: CaseVocabulary.Kind? {
        switch withoutParentheses.kind {
        case .integer, .number: .number
        case .string: .text
        case .boolean: .boolean
        default: nil
        }
    }
}

extension BinaryOperator {
    /// What a value is taken for that stands beside another.
    fileprivate func kind(beside other: Expression) -> CaseVocabulary.Kind? {
        switch self {
        case .equal, .notEqual, .or: other.literalKind
        case .less, .greater, .lessOrEqual, .greaterOrEqual: other.literalKind ?? .number
        case .concatenate: .text
        case .and: nil
        default: .number
        }
    }
}
