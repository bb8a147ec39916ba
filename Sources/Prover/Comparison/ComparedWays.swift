import Circulation
import TextFormats

/// The ways through two policies, put together to regions where they come to the same.
struct ComparedWays {
    /// Of no kind: nothing differs.
    private typealias Way = MergedWay<DecisionChange.Kind>

    /// A case that the desk decides both ways.
    private struct Example {
        let change: DecisionChange
        let question: JSONObject
        let values: Assignment

        /// Those whose answer changes first, then the smallest.
        func isBetter(than other: Example) -> Bool {
            if change.isOfLatitude != other.change.isOfLatitude { return change.isOfLatitude }
            return JSON.object(question).text().utf8.count < JSON.object(other.question).text().utf8.count
        }
    }

    private var ways: [Way] = []
    private var parts: [RegionPart] = []
    private var examples: [Example] = []
    private var words: [Literal: String] = [:]
    /// What is said as a whole.
    private var named: Set<Condition> = []
    private var unknown: [Unsettled] = []
    /// Ways on which something differs, as far as is seen, of which no case was found.
    private var unconfirmed: [(aspect: DecisionAspect, literals: Set<Literal>, why: Unsettled)] = []
    private(set) var paths = 0

    /// A case that the desk decides both ways; nil: none was found.
    var found: JSONObject? { examples.first?.question }
    /// Why it is not known that there is none; nil: it is.
    var open: Unsettled? { unknown.first ?? unconfirmed.first?.why }

    /// So many reasons are kept.
    private static let mostReasons = 20

    mutating func fail(_ why: Unsettled) {
        if !unknown.contains(why), unknown.count < Self.mostReasons { unknown.append(why) }
    }

    /// A way of which no case was found that the desk decides differently.
    mutating func fail(_ aspect: DecisionAspect, on literals: [Literal], _ why: Unsettled) {
        unconfirmed.append((aspect, Set(literals.filter(\.isSaid)), why))
    }

    mutating func addSame(_ literals: [Literal]) {
        ways.append(Way(literals: literals, kind: nil, example: -1))
    }

    mutating func add(
        _ literals: [Literal], _ change: DecisionChange, _ question: JSONObject, _ values: Assignment,
        _ said: CaseWords, _ spoken: SpokenTerms
    ) {
        ways.append(Way(literals: literals, kind: change.kind, example: examples.count))
        examples.append(Example(change: change, question: question, values: values))
        named.formUnion(spoken.conditions.keys)
        for literal in literals where literal.isSaid { note(literal.condition, said) }
    }

    private mutating func note(_ condition: Condition, _ said: CaseWords) {
        for holds in [true, false] {
            let literal = Literal(condition: condition, holds: holds)
            if words[literal] == nil { words[literal] = said.words(literal) }
        }
        switch condition {
        case .not(let inner): note(inner, said)
        case .all(let parts), .any(let parts): for part in parts { note(part, said) }
        default: break
        }
    }

    /// Puts together what was found of one question.
    mutating func end(_ paths: Int) {
        self.paths += paths
        for way in Way.merged(ways[...]) {
            guard let kind = way.kind else { continue }
            let part = RegionPart(kind: kind, literals: way.literals.filter(\.isSaid), example: way.example)
            if !parts.contains(where: { $0.kind == part.kind && $0.literals == part.literals }) { parts.append(part) }
        }
        ways = []
    }

    func comparison(at point: DecisionPoint) -> PointComparison {
        var comparison = PointComparison(point: point)
        comparison.paths = paths
        // What lies in a region needs no case of its own.
        let open = unconfirmed.filter { way in
            !RegionMaker.cover(way.literals, by: parts.filter { $0.kind.aspect == way.aspect }, named)
        }
        comparison.unknown = (unknown + open.map(\.why)).reduce(into: []) { reasons, why in
            if !reasons.contains(why), reasons.count < Self.mostReasons { reasons.append(why) }
        }
        var kinds: [DecisionChange.Kind] = []
        for part in parts where !kinds.contains(part.kind) { kinds.append(part.kind) }
        var seen: Set<[String]> = []
        for kind in kinds {
            let ofKind = parts.filter { $0.kind == kind }
            let order = examples.indices.filter { examples[$0].change.kind == kind }
                .sorted { examples[$0].isBetter(than: examples[$1]) }
            let maker = RegionMaker(ofKind, named, order.map { ($0, examples[$0].values) })
            for (literals, example) in maker.regions {
                let said = literals.compactMap(words).reduce(into: [String]()) { said, word in
                    if !said.contains(word) { said.append(word) }
                }
                // What goes without saying tells no two regions apart.
                guard seen.insert(kind.words + [kind.aspect.rawValue] + said.sorted()).inserted else { continue }
                comparison.regions.append(region(literals, said, examples[example]))
            }
        }
        return comparison
    }

    private func words(_ literal: Literal) -> String? {
        if let known = words[literal] { return known }
        guard literal.holds, case .any(let parts) = literal.condition else { return nil }
        return CaseWords.chain(parts)
    }

    private func region(_ literals: [Literal], _ said: [String], _ example: Example) -> DifferenceRegion {
        let fields = literals.reduce(into: Set<String>()) { fields, literal in
            for variable in literal.condition.variables { fields.insert(Self.field(variable)) }
        }
        return DifferenceRegion(conditions: said, fields: fields, change: example.change, question: example.question)
    }

    /// The field of the case that a variable is about.
    private static func field(_ variable: String) -> String {
        if variable.hasPrefix("loans of limits") { return "patron.loans" }
        return String(variable.drop { $0 == "#" }.prefix { $0 != " " && $0 != "[" })
    }
}

extension Literal {
    /// Whether it is said of a region: what the desk reckons goes without saying, and so does the calendar.
    fileprivate var isSaid: Bool {
        !isReckoned
            && condition.variables.allSatisfy { name in
                !["open ", "closing ", "same weekday "].contains(where: name.hasPrefix)
                    && ![" open days after ", " months after "].contains(where: name.contains)
            }
    }
}
