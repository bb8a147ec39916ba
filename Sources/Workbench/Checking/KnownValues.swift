package import Circulation
import LuaSyntax

/// What a library declares, for the check of the values that a policy names.
package struct DeclaredValues: Hashable, Sendable {
    package var categories: Set<String>
    package var itemTypes: Set<String>
    package var branches: Set<String>

    package init(categories: [Category], itemTypes: [ItemType], branches: [Branch]) {
        self.categories = Set(categories.map(\.code))
        self.itemTypes = Set(itemTypes.map(\.code))
        self.branches = Set(branches.map(\.code))
    }
}

/// The values that categories, item types, branches and the desk's own words may have.
///
/// With a store at hand they are what the library declares. Without one a value is only doubted if it is a slip of the pen
/// away from another that the policy names.
struct KnownValues {
    struct Fault {
        var severity: Finding.Severity
        var message: String
        var suggestion: String?
    }

    /// A value in a row, with its place.
    private struct Named {
        var kind: String
        var value: String
        var range: SourceRange
    }

    private let declared: DeclaredValues?
    private let file: String
    private let rows: [Named]
    private let counts: [String: [String: Int]]
    /// How often a text stands anywhere in the file, also where functions compare with it.
    private let mentions: [String: Int]

    init(declared: DeclaredValues?, outline: PolicyOutline?, in chunk: Chunk?) {
        let file = chunk?.name ?? ""
        self.declared = declared
        self.file = file
        rows = outline?.rows.flatMap(KnownValues.named(in:)) ?? []
        var counts: [String: [String: Int]] = [:]
        for row in rows { counts[row.kind, default: [:]][row.value, default: 0] += 1 }
        self.counts = counts
        var texts = TextCount()
        chunk?.walk(&texts)
        mentions = texts.counts
    }

    private struct TextCount: LuaVisitor {
        private(set) var counts: [String: Int] = [:]

        mutating func enter(_ expression: Expression) {
            if let text = expression.stringLiteral { counts[text, default: 0] += 1 }
        }
    }

    // MARK: - Rows

    /// The findings `unknown_value` of rows.
    var findings: [Finding] {
        rows.compactMap { row in
            let fault: Fault?
            if let declared = self.declared(row.kind) {
                fault = undeclared(row.value, row.kind, declared)
            } else {
                fault = slip(row.value, row.kind)
            }
            return fault.map { fault in
                Finding(
                    code: "unknown_value", severity: fault.severity, file: file, range: row.range,
                    message: fault.message, suggestion: fault.suggestion)
            }
        }
    }

    private static let dimensions: [(field: String, kind: String)] = [
        ("category", "text:category"), ("item_type", "text:item_type"), ("branch", "text:branch"),
        ("copy_branch", "text:branch"), ("home_branch", "text:branch"),
    ]

    private static func named(in row: PolicyOutline.Row) -> [Named] {
        dimensions.flatMap { dimension -> [Named] in
            guard let value = row[dimension.field]?.value else { return [] }
            var literals = [value]
            if case .table(let table) = value.kind { literals = table.entries.map(\.value) }
            return literals.compactMap { literal in
                literal.stringLiteral.map { Named(kind: dimension.kind, value: $0, range: literal.range) }
            }
        }
    }

    // MARK: - Single values

    /// What is wrong with a text that is compared with a field of the kind; nil if nothing is, or nothing can be told.
    func fault(of word: String, kind: String) -> Fault? {
        if let words = PolicyKinds.words[kind] {
            if words.contains(word) { return nil }
            let known = words.map { "\"\($0)\"" }.joined(separator: ", ")
            return Fault(
                severity: .error, message: "this is never \"\(word)\"; it is one of \(known)",
                suggestion: NameSuggestion.nearest(to: word, among: words))
        }
        if let declared = declared(kind) { return undeclared(word, kind, declared) }
        guard let known = counts[kind], known[word] == nil else { return nil }
        return known.keys.sorted().first { NameSuggestion.isSlip(word, of: $0) }.map { slip(word, of: $0, kind) }
    }

    private func declared(_ kind: String) -> Set<String>? {
        switch kind {
        case "text:category": declared?.categories
        case "text:item_type": declared?.itemTypes
        case "text:branch": declared?.branches
        default: nil
        }
    }

    private func undeclared(_ word: String, _ kind: String, _ declared: Set<String>) -> Fault? {
        if declared.contains(word) { return nil }
        return Fault(
            severity: .warning, message: "the library has no \(Self.noun(kind)) '\(word)'",
            suggestion: NameSuggestion.nearest(to: word, among: declared))
    }

    /// The rarer of two is the slip; of two that are equally rare either may be, but short ones (`teen`, `tween`) may both be right.
    private func slip(_ word: String, _ kind: String) -> Fault? {
        guard let known = counts[kind], let own = mentions[word] else { return nil }
        let other = known.keys.sorted().first { other in
            guard NameSuggestion.isSlip(word, of: other), let others = mentions[other] else { return false }
            return others > own || others == own && (word.count >= 6 || NameSuggestion.isPlural(word, of: other))
        }
        return other.map { slip(word, of: $0, kind) }
    }

    private func slip(_ word: String, of other: String, _ kind: String) -> Fault {
        Fault(
            severity: .warning,
            message: "the \(Self.noun(kind)) '\(word)' is named nowhere else, '\(other)' is", suggestion: other)
    }

    private static func noun(_ kind: String) -> String {
        switch kind {
        case "text:category": "category"
        case "text:item_type": "item type"
        default: "branch"
        }
    }
}
