import Circulation
import TextFormats

/// Says what holds of a case as people would: "category child", "`patron.fees_owed` >= 10.00 EUR".
struct CaseWords {
    private let model: CaseModel
    /// Whether names of functions are passed over, so that conditions of one name are told apart.
    private var isByParts = false
    /// Whether nothing is left out.
    private var isWhole = false
    /// What a variable was read as.
    private let values: [String: Value]

    init(_ model: CaseModel) {
        self.model = model
        var values = Dictionary(model.path.looks.reads.compactMap(Self.variable)) { first, _ in first }
        for (_, value) in model.optionals.values {
            if let (name, value) = Self.variable(.init(path: "", value: value)) { values[name] = value }
        }
        self.values = values
    }

    private static func variable(_ read: CaseModel.Read) -> (String, Value)? {
        switch read.value {
        case .integer(.variable(let variable)), .money(.variable(let variable)), .date(.variable(let variable)),
            .instant(.variable(let variable), _), .text(.symbol(.variable(let variable))),
            .period(.variable(let variable), _):
            (variable.name, read.value)
        default: nil
        }
    }

    /// - Returns: nil for what goes without saying.
    func words(_ literal: Literal) -> String? {
        guard let words = words(literal.condition, literal.holds) else { return nil }
        if words.count <= Self.longest { return words }
        let fields = literal.condition.variables.compactMap(Self.field).reduce(into: Set<String>()) { $0.insert($1) }
        let named = fields.sorted().map { "`\($0)`" }.joined(separator: ", ")
        return "\(literal.holds ? "what" : "not what") functions ask of \(named)"
    }

    /// All of a condition, however long it is.
    ///
    /// - Parameter isByParts: whether names of functions are passed over.
    func all(of literal: Literal, byParts isByParts: Bool = false) -> String {
        var copy = self
        (copy.isByParts, copy.isWhole) = (isByParts, true)
        return copy.words(literal.condition, literal.holds)
            ?? "`\((literal.holds ? literal.condition : literal.condition.negated).smt.replacing("|", with: ""))`"
    }

    /// Conditions of more letters are said by the fields that they look at.
    private static let longest = 160

    /// The field of the case that a variable says something of, also one that is made of it.
    private static func field(_ variable: String) -> String? {
        if let (chain, _) = code(variable) { return chain }
        let parts = variable.split { !($0.isLetter || $0 == "_" || $0 == ".") }
        let records = ["patron", "title", "copy", "loan", "request", "hold"]
        return parts.first { $0.contains(".") && records.contains(String($0.prefix { $0 != "." })) }.map(String.init)
    }

    private func words(_ condition: Condition, _ holds: Bool) -> String? {
        if !isByParts, let known = model.path.words.conditions[condition] { return holds ? known.holds : known.fails }
        switch condition {
        case .constant, .relation: return nil
        case .not(let inner): return words(inner, !holds)
        case .variable(let name): return fact(name, holds)
        case .all(let parts): return joined(parts, holds, isEvery: holds)
        case .any(let parts):
            if Self.areAtOdds(parts) { return nil }
            return joined(parts.filter { !Self.isNever($0) }, holds, isEvery: !holds)
        case .equal(let left, let right): return compared(left, right, holds ? "is" : "is not")
        case .atMost(let left, let right):
            if let count = count(left, right, holds) { return count }
            if left.constant != nil { return compared(right, left, holds ? ">=" : "<") }
            return compared(left, right, holds ? "<=" : ">")
        }
    }

    // MARK: - Several conditions

    /// Whether one of them says that another does not hold.
    private static func areAtOdds(_ parts: [Condition]) -> Bool { parts.contains { parts.contains($0.negated) } }

    private static func isNever(_ condition: Condition) -> Bool {
        if case .all(let parts) = condition { areAtOdds(parts) } else { false }
    }

    private func joined(_ parts: [Condition], _ holds: Bool, isEvery: Bool) -> String? {
        var codes: [(chain: String, codes: [String])] = []
        var others: [String] = []
        for part in parts {
            if !isEvery, holds, case .variable(let name) = part, let (chain, code) = Self.code(name) {
                if let known = codes.firstIndex(where: { $0.chain == chain }) {
                    codes[known].codes.append(code)
                } else {
                    codes.append((chain, [code]))
                }
            } else if let words = words(part, holds) {
                let isMixed = words.contains(isEvery ? " or " : " and ") && part.isCompound
                if !others.contains(words) { others.append(isMixed ? "(\(words))" : words) }
            }
        }
        let most = isWhole ? Int.max : RowConditions.mostNames
        let said = codes.map { "\($0.chain) \(RowConditions.either($0.codes, naming: most))" } + others
        return said.isEmpty ? nil : said.joined(separator: isEvery ? " and " : " or ")
    }

    // MARK: - Facts

    private static let chainWords = [
        "patron.category": "category", "copy.item_type": "item type", "branch": "branch",
        "patron.home_branch": "home branch", "copy.branch": "copies of branch",
    ]

    /// `patron.category below child` is of the category `child`.
    private static func code(_ name: String) -> (chain: String, code: String)? {
        guard let range = name.firstRange(of: " below ") else { return nil }
        let chain = String(name[..<range.lowerBound])
        return (chainWords[chain] ?? "`\(chain)`", SafeText.line(String(name[range.upperBound...])))
    }

    /// `item type dvd or bluray`; nil for what is not of one chain.
    static func chain(_ parts: [Condition]) -> String? {
        let codes = parts.compactMap { if case .variable(let name) = $0 { code(name) } else { nil } }
        guard codes.count == parts.count, let chain = codes.first?.chain, codes.allSatisfy({ $0.chain == chain }) else {
            return nil
        }
        return "\(chain) \(RowConditions.either(codes.map(\.code)))"
    }

    private func fact(_ name: String, _ holds: Bool) -> String {
        if let (chain, code) = Self.code(name) { return "\(chain) \(holds ? "" : "not ")\(code)" }
        let blocked = [
            "patron.blocks has a block": "a block", "patron.blocks has a suspension among the blocks": "a suspension",
        ]
        if let kind = blocked[name] { return holds ? "with \(kind)" : "without \(kind)" }
        if name == "patron.loans have the title" { return holds ? "has the title" : "does not have the title" }
        if name.hasSuffix(" is there") { return "\(holds ? "with" : "without") `\(name.dropLast(9))`" }
        for kind in ["a text", "a whole number", "true or false", "a number", "true"]
        where name.hasSuffix(" is \(kind)") {
            return "`\(name.dropLast(kind.count + 4))` is \(holds ? "" : "not ")\(kind)"
        }
        if let range = name.firstRange(of: " has ") {
            return "`\(name[..<range.lowerBound])` \(holds ? "has" : "has not") \(name[range.upperBound...])"
        }
        return holds ? "`\(name)`" : "not `\(name)`"
    }

    // MARK: - Numbers

    /// "2 loans of dvd or more"
    private func count(_ left: Number, _ right: Number, _ holds: Bool) -> String? {
        if let least = left.constant, let words = counted(right) {
            return holds ? "\(least) \(words) or more" : least == 1 ? "no \(words)" : "fewer than \(least) \(words)"
        }
        if right.constant == 0, let words = counted(left) { return holds ? "no \(words)" : "any \(words)" }
        if let most = right.constant, let words = counted(left) {
            return holds ? "at most \(most) \(words)" : "more than \(most) \(words)"
        }
        return nil
    }

    private func counted(_ number: Number) -> String? {
        if let words = model.path.words.numbers[number], !words.hasPrefix("`") { return words }
        guard case .variable(let variable) = number, variable.name.hasPrefix("#") else { return nil }
        let place = variable.name.dropFirst()
        return place == "patron.loans" ? "loans" : "entries of `\(place)`"
    }

    private func compared(_ left: Number, _ right: Number, _ word: String) -> String? {
        let (left, right) = left.constant != nil && right.constant == nil ? (right, left) : (left, right)
        if word.hasPrefix("is"), let code = ofChain(left, right) {
            return "\(code.chain) is \(word == "is" ? "just" : "not just") \(code.code)"
        }
        return "\(name(left, beside: right)) \(word) \(name(right, beside: left))"
    }

    private func ofChain(_ number: Number, _ value: Number) -> (chain: String, code: String)? {
        guard case .variable(let variable) = number, let chain = Self.chainWords[variable.name],
            let code = value.constant
        else { return nil }
        return (chain, SafeText.line(model.texts.word(code)))
    }

    private static let day = ProofDomain.microsecondsPerDay

    private func name(_ number: Number, beside other: Number) -> String {
        if let words = model.path.words.numbers[number] { return words }
        if let made = model.path.words.made[number] { return words(made) }
        switch number {
        case .constant(let value): return constant(value, beside: other, isSpan: Self.isSpan(other))
        case .variable(let variable): return name(variable.name)
        case .sum(let parts):
            let parts = Self.moments(parts)
            return parts.map { part in
                switch part {
                case .moment(let name): name == "now" ? "now" : "`\(name)`"
                case .number(.constant(let value)): constant(value, beside: number, isSpan: true)
                case .number(let part): name(part, beside: other)
                }
            }
            .joined(separator: " + ").replacing("+ -", with: "- ")
        case .scaled(let inner, -1): return "-\(name(inner, beside: other))"
        case .scaled(let inner, Self.day): return "the start of \(name(inner, beside: other))"
        case .scaled(let inner, let factor): return "\(factor) * \(name(inner, beside: other))"
        case .product(let left, let right):
            return "\(name(left, beside: other)) * \(name(right, beside: other))"
        case .quotient(.variable(let variable), Self.day):
            return variable.name == "now" ? "today" : "the day of `\(variable.name)`"
        default: return "`\(number.smt.replacing("|", with: ""))`"
        }
    }

    private func words(_ made: SpokenTerms.Made) -> String {
        made.pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .number(let number): name(number, beside: number)
            case .date(let number): name(number, beside: .variable(.init(name: Self.dayName, least: 0, most: 0)))
            }
        }
        .joined(separator: " ")
    }

    /// Whether it is what lies between two moments.
    private static func isSpan(_ number: Number) -> Bool {
        guard case .sum(let parts) = number else { return false }
        return parts.contains { if case .scaled(_, let factor) = $0 { factor < 0 } else { false } }
    }

    private static func span(_ minutes: Int64) -> String {
        if minutes % 1_440 == 0 { return "\(minutes / 1_440) days" }
        return minutes % 60 == 0 ? "\(minutes / 60) hours" : "\(minutes) minutes"
    }

    private static let (dayName, timeName) = (" on day", " at")

    private func name(_ variable: String) -> String {
        if variable == "now" { return "now" }
        if variable.hasSuffix(Self.dayName) {
            let moment = variable.dropLast(Self.dayName.count)
            return moment == "now" ? "today" : "the day of `\(moment)`"
        }
        if variable.hasSuffix(Self.timeName) {
            let moment = variable.dropLast(Self.timeName.count)
            return moment == "now" ? "the time of day" : "the time of `\(moment)`"
        }
        return "`\(variable.replacing("|", with: ""))`"
    }

    private enum Part {
        case moment(String)
        case number(Number)
    }

    /// The parts of a sum, a day and a time of one moment as that.
    private static func moments(_ parts: [Number]) -> [Part] {
        for (place, part) in parts.enumerated() {
            guard case .scaled(.variable(let date), day) = part, date.name.hasSuffix(dayName) else { continue }
            let moment = String(date.name.dropLast(dayName.count))
            let time = parts.firstIndex { other in
                if case .variable(let variable) = other { variable.name == moment + timeName } else { false }
            }
            guard let time else { continue }
            let rest = parts.indices.filter { $0 != place && $0 != time }.map { parts[$0] }
            return [.moment(moment)] + moments(rest)
        }
        return parts.map { .number($0) }
    }

    /// What kind of value a number is, as far as it shows.
    private func value(of number: Number) -> Value? {
        if let made = model.path.words.made[number] { return made.isDate ? .date(.constant(0)) : nil }
        switch number {
        case .variable(let variable):
            if variable.name.hasSuffix(Self.dayName) { return .date(.constant(0)) }
            return values[variable.name]
        case .sum(let parts):
            if case .moment? = Self.moments(parts).first { return .instant(.constant(0), .plain) }
            return parts.lazy.compactMap(value).first
        case .scaled(let inner, _): return value(of: inner)
        case .choice(_, let one, let other): return value(of: one) ?? value(of: other)
        case .quotient(let inner, Self.day): return value(of: inner).map { _ in .date(.constant(0)) }
        default: return nil
        }
    }

    private func constant(_ value: Int64, beside other: Number, isSpan: Bool) -> String {
        let kind = self.value(of: other)
        switch kind {
        case .money: return Money(minorUnits: value, currency: model.domain.currency).description
        case .text: return "\"\(SafeText.line(model.texts.word(value)))\""
        case .date:
            if isSpan { return "\(value) days" }
            return (try? CivilDate(dayNumber: value))?.description ?? "\(value)"
        case .instant:
            if isSpan { return Self.span(value / 60_000_000) }
            return Instant(microseconds: value).description
        default: return "\(value)"
        }
    }
}

extension Condition {
    fileprivate var isCompound: Bool {
        switch self {
        case .all, .any: true
        case .not(let inner): inner.isCompound
        default: false
        }
    }
}
