package import Circulation

/// A category, an item type and a branch, each with the codes above it, the code itself first, and the rows that they may get.
package struct Combination: Sendable {
    package var categories: [String]
    package var itemTypes: [String]
    package var branches: [String]
    package var rows: CombinedRows

    package init(categories: [String], itemTypes: [String], branches: [String], rows: CombinedRows) {
        (self.categories, self.itemTypes, self.branches) = (categories, itemTypes, branches)
        self.rows = rows
    }

    /// Stands for every code that a policy does not name.
    package static let anyOther = "any other"

    /// The codes of a case that a combination says.
    enum Part: String, CaseIterable {
        case category = "patron.category"
        case itemType = "copy.item_type"
        case branch
    }

    func codes(_ part: Part) -> [String] {
        switch part {
        case .category: categories
        case .itemType: itemTypes
        case .branch: branches
        }
    }
}

/// What a policy asks of a combination: where the answers are the same, so is all that comes of it.
enum CombinationQuestion: Hashable {
    /// Whether a code is among those of a part.
    case contains(String)
    /// How many codes there are.
    case depth
    /// Which of the words that the policy names stands at a place, from 1.
    case code(Int)
    /// The codes themselves.
    case all

    func answer(_ codes: [String], _ texts: Texts) -> [String] {
        switch self {
        case .contains(let word): codes.contains(word) ? [word] : []
        case .depth: ["\(codes.count)"]
        case .code(let place):
            codes.indices.contains(place - 1) && texts.isKnown(codes[place - 1]) ? [codes[place - 1]] : []
        case .all: codes
        }
    }
}

/// A combination as a proof sees it: it notes what is asked. Of a code that the policy names nowhere it is known only that it is
/// none of those named; one that stands for every other may be any but those.
final class KnownCombination {
    let combination: Combination
    private let texts: Texts
    private(set) var asked: [Combination.Part: Set<CombinationQuestion>] = [:]
    private(set) var groups: Set<RuleGroup> = []
    /// Codes that were handed out as any other.
    private var hidden: [Combination.Part: Set<String>] = [:]
    /// The parts of which no code is hidden.
    private let shown: Set<Combination.Part>

    /// What a code that stands for every other is not.
    private let named: [Combination.Part: Set<String>]

    /// - Parameters:
    ///   - shown: the parts whose codes are known to the letter.
    ///   - named: the words that the policy is known to compare codes with.
    init(
        _ combination: Combination, _ texts: Texts, showing shown: Set<Combination.Part>,
        _ named: [Combination.Part: Set<String>]
    ) {
        (self.combination, self.texts, self.shown, self.named) = (combination, texts, shown, named)
        for part in shown { asked[part, default: []].insert(.all) }
    }

    func contains(_ word: String, _ part: Combination.Part) -> Bool {
        asked[part, default: []].insert(.contains(word))
        return combination.codes(part).contains(word)
    }

    /// How many codes a part has.
    func depth(_ part: Combination.Part) -> Int {
        asked[part, default: []].insert(.depth)
        return combination.codes(part).count
    }

    /// The codes of a part as numbers, for what is asked of them all.
    func numbers(_ part: Combination.Part, on path: Path) throws -> [Number] {
        try codes(part).map { code in
            code == Combination.anyOther ? try other(part, on: path) : .constant(texts.number(of: code))
        }
    }

    /// Any code but those that the policy is known to name.
    private func other(_ part: Combination.Part, on path: Path) throws -> Number {
        let number = try path.number(part.rawValue, CaseModel.texts)
        for word in named[part, default: []].sorted() {
            try path.assume(number.equals(.constant(texts.number(of: word))).negated)
        }
        return number
    }

    /// The words that a code that stands for every other was compared with.
    func compared(_ conditions: [Condition]) -> [Combination.Part: Set<String>] {
        var found: [Combination.Part: Set<String>] = [:]
        for part in Combination.Part.allCases where combination.codes(part) == [Combination.anyOther] {
            for leaf in conditions.flatMap(\.leaves) {
                switch leaf {
                case .equal(.variable(let variable), .constant(let value)),
                    .equal(.constant(let value), .variable(let variable)):
                    if variable.name == part.rawValue { found[part, default: []].insert(texts.word(value)) }
                default: continue
                }
            }
        }
        return found
    }

    /// The codes of a part, for what is asked of them all.
    func codes(_ part: Combination.Part) -> [String] {
        asked[part, default: []].insert(.all)
        return combination.codes(part)
    }

    /// The code at a place, from 1; nil: there is none.
    func text(_ place: Int, _ part: Combination.Part, on path: Path) throws -> Text? {
        let codes = combination.codes(part)
        asked[part, default: []].insert(.code(place))
        guard codes.indices.contains(place - 1) else {
            asked[part, default: []].insert(.depth)
            return nil
        }
        let code = codes[place - 1]
        if code == Combination.anyOther { return .symbol(try other(part, on: path)) }
        if shown.contains(part) || texts.isKnown(code) { return .known(code) }
        hidden[part, default: []].insert(code)
        // Texts that are named have greater numbers.
        return .symbol(try path.number(Self.name(part, place), 0...(Texts.first - 1)))
    }

    private static func name(_ part: Combination.Part, _ place: Int) -> String { "\(part.rawValue) unnamed \(place)" }

    /// The rows that may set a group.
    func rows(_ group: RuleGroup, of tables: CompiledTables) -> [Int] {
        groups.insert(group)
        return tables.groups.firstIndex(of: group).map { combination.rows.groups[$0].all } ?? []
    }

    /// The parts whose hidden codes matter all the same.
    ///
    /// - Parameter variables: those that decide anything.
    func tooHidden(_ variables: Set<String>) -> Set<Combination.Part> {
        Set(
            hidden.filter { part, codes in
                codes.contains(where: texts.isKnown)
                    || variables.contains { $0.contains("\(part.rawValue) unnamed ") }
            }.keys)
    }
}

extension Condition {
    /// The conditions without parts that it is made of.
    fileprivate var leaves: [Condition] {
        switch self {
        case .not(let inner): inner.leaves
        case .all(let parts), .any(let parts): parts.flatMap(\.leaves)
        case .constant: []
        default: [self]
        }
    }
}
