package import Circulation
import LuaSyntax
import TextFormats

/// What a library declares, for the check of the values that a policy names.
package struct DeclaredValues: Hashable, Sendable {
    package var categories: Set<String>
    package var itemTypes: Set<String>
    package var branches: Set<String>
    /// The fields of its own.
    package var fields: CustomFields
    /// By a code, those right below it.
    private(set) var below: [Dimension: [String: [String]]] = [:]

    enum Dimension {
        case category, itemType, branch
    }

    package init(
        categories: [Category], itemTypes: [ItemType], branches: [Branch], fields: CustomFields = .none
    ) {
        self.fields = fields
        self.categories = Set(categories.map(\.code))
        self.itemTypes = Set(itemTypes.map(\.code))
        self.branches = Set(branches.map(\.code))
        below = [
            .category: Self.below(categories), .itemType: Self.below(itemTypes), .branch: Self.below(branches),
        ]
    }

    private static func below(_ codes: [some NestedCode]) -> [String: [String]] {
        codes.reduce(into: [:]) { below, code in
            if let parent = code.parent { below[parent, default: []].append(code.code) }
        }
    }

    /// The codes right below one of a kind such as `text:category`.
    func codes(below code: String, _ kind: String) -> [String] {
        switch kind {
        case "text:category": below[.category]?[code] ?? []
        case "text:item_type": below[.itemType]?[code] ?? []
        case "text:branch": below[.branch]?[code] ?? []
        default: []
        }
    }
}

/// The values that categories, item types, branches and the desk's own words may have.
///
/// With a store at hand they are what the library declares. Without one a value is only doubted if it is a slip of the
/// pen away from another that the policy names.
struct KnownValues {
    struct Fault {
        var code = "unknown_value"
        var severity: Finding.Severity
        var message: String
        var suggestion: String?
    }

    private let declared: DeclaredValues?
    private let file: String
    private let uses: [WordUses.Use]
    /// The values of rows, and those of rows and functions together, by kind.
    private let inRows: [String: Set<String>]
    private let everywhere: [String: Set<String>]
    /// How often a text stands anywhere in the file.
    private let mentions: [String: Int]

    init(declared: DeclaredValues?, uses: [WordUses.Use], in chunk: Chunk) {
        self.declared = declared
        self.uses = uses
        file = chunk.name
        var inRows: [String: Set<String>] = [:]
        var everywhere: [String: Set<String>] = [:]
        for use in uses {
            if use.isInRow { inRows[use.kind, default: []].insert(use.value) }
            everywhere[use.kind, default: []].insert(use.value)
        }
        self.inRows = inRows
        self.everywhere = everywhere
        var texts = TextCount()
        chunk.walk(&texts)
        mentions = texts.counts
    }

    private struct TextCount: LuaVisitor {
        private(set) var counts: [String: Int] = [:]

        mutating func enter(_ expression: Expression) {
            if let text = expression.stringLiteral { counts[text, default: 0] += 1 }
            guard case .table(let table) = expression.kind else { return }
            for case .name(let key) in table.entries.map(\.key) { counts[key.name, default: 0] += 1 }
        }
    }

    // MARK: - Findings

    /// The findings `unknown_value` and `doubtful_value`.
    var findings: [Finding] {
        uses.compactMap { use in
            fault(of: use).map { fault in
                Finding(
                    code: fault.code, severity: fault.severity, file: file, range: use.range,
                    message: fault.message, suggestion: fault.suggestion)
            }
        }
    }

    /// What is wrong with a value; nil if it is right, or cannot be judged without running.
    private func fault(of use: WordUses.Use) -> Fault? {
        if let words = PolicyKinds.words[use.kind] {
            if words.contains(use.value) { return nil }
            let known = words.map { "\"\($0)\"" }.joined(separator: ", ")
            return Fault(
                severity: .error, message: "this is never \"\(use.value)\"; it is one of \(known)",
                suggestion: NameSuggestion.nearest(to: use.value, among: words))
        }
        if let declared = declared(use.kind) {
            return undeclared(use.value, use.kind, declared) ?? narrow(use)
        }
        return slip(use)
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

    /// A comparison with a code that has others below it: for a row and for `has` these are of the kind, too.
    private func narrow(_ use: WordUses.Use) -> Fault? {
        let codes = declared?.codes(below: use.value, use.kind) ?? []
        if !use.isCompared || codes.isEmpty { return nil }
        let (noun, list) = (Self.noun(use.kind), Self.list(use.kind))
        let others = codes.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
        return Fault(
            code: "doubtful_value", severity: .warning,
            message: "this holds for the \(noun) '\(use.value)' itself, not for those below it, such as \(others);"
                + " has(...\(list), \"\(use.value)\") asks about them as well",
            suggestion: nil)
    }

    private static func list(_ kind: String) -> String {
        switch kind {
        case "text:category": "categories"
        case "text:item_type": "item_types"
        default: "branches"
        }
    }

    /// What rows name is known. Of two that rows name, or of two that functions alone name, the rarer one is the slip;
    /// of two that are equally rare either may be, but short ones (`teen`, `tween`) may both be right.
    private func slip(_ use: WordUses.Use) -> Fault? {
        let known = inRows[use.kind] ?? []
        let isKnown = known.contains(use.value)
        if !isKnown, let other = known.sorted().first(where: { NameSuggestion.isTypo(use.value, of: $0) }) {
            return slip(use.value, of: other, use.kind)
        }
        let own = mentions[use.value] ?? 0
        let others = isKnown ? known : everywhere[use.kind] ?? []
        let other = others.sorted().first { other in
            guard NameSuggestion.isTypo(use.value, of: other) else { return false }
            let count = mentions[other] ?? 0
            return count > own
                || count == own && (use.value.count >= 6 || NameSuggestion.isPlural(use.value, of: other))
        }
        return other.map { slip(use.value, of: $0, use.kind) }
    }

    private func slip(_ word: String, of other: String, _ kind: String) -> Fault {
        Fault(
            severity: .warning,
            message: "the \(Self.noun(kind)) '\(word)' looks like '\(other)', which is named as well", suggestion: other
        )
    }

    private static func noun(_ kind: String) -> String {
        switch kind {
        case "text:category": "category"
        case "text:item_type": "item type"
        default: "branch"
        }
    }
}
