import Circulation
import TextFormats

/// Makes random cases in the short form that `given` and `policy explain --case` read.
///
/// Values come from the policy's own (see ``CaseVocabulary``), from their neighbours, and from one that it does not
/// know. Fields that neither the tables nor any function reads are left out. Loans begin during opening hours only, and
/// a policy that names dates is asked about no time after the last of them: its author has not got to that yet.
struct CaseMaker {
    let vocabulary: CaseVocabulary
    /// The points that are asked, those with functions more than once.
    let points: [DecisionPoint]
    var random: SeededGenerator

    init(_ vocabulary: CaseVocabulary, points: [DecisionPoint]? = nil, seed: UInt64) {
        self.vocabulary = vocabulary
        self.points = points ?? CaseMaker.points(for: vocabulary)
        random = SeededGenerator(seed: seed)
    }

    /// Where the tables decide, and where functions do.
    static func points(for vocabulary: CaseVocabulary) -> [DecisionPoint] {
        let tables: [DecisionPoint] = [.checkout, .renew, .fine, .overdue, .hold, .checkin, .lost]
        let ends: [DecisionPoint] = vocabulary.endsMemberships ? [.expiry, .expiry] : []
        let own = vocabulary.functions.flatMap { [$0, $0, $0] }
        let due: [DecisionPoint] = vocabulary.functions.contains(.due) ? [.checkout, .checkout] : []
        return tables + own + due + ends
    }

    mutating func make() -> JSONObject { make(random.pick(points) ?? .checkout) }

    mutating func make(_ point: DecisionPoint) -> JSONObject {
        var object: JSONObject = ["point": .string(point.rawValue)]
        let frame = addFrame(to: &object, point)
        object["patron"] = .object(patron(point, frame))
        addActor(to: &object, point)
        if let title = title(point) { object["title"] = title }
        if let copy = copy(point, frame) { object["copy"] = copy }
        addLoans(to: &object, frame)
        addHistory(to: &object, frame)
        if point.isAboutLoan { object["loan"] = .object(loan(point, frame)) }
        addRequest(to: &object, point, frame)
        addMarket(to: &object, point)
        return object
    }

    /// Of an older case some members, the rest of a new one: close to what the older one reached.
    mutating func variation(of object: JSONObject) -> JSONObject {
        guard let point = object["point"]?.stringValue.flatMap(DecisionPoint.init(rawValue:)) else { return make() }
        let fresh = make(point)
        var varied = object
        let keys = Set(object.keys + fresh.keys).subtracting(["point"]).sorted()
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            guard let key = random.pick(keys) else { continue }
            // The loan is written against the moment, so that both change together.
            let group = ["now", "loan", "time_zone", "calendar"]
            for key in group.contains(key) ? group : [key] {
                varied[key] = mixed(varied[key], fresh[key])
            }
        }
        return varied
    }

    private mutating func mixed(_ old: JSON?, _ new: JSON?) -> JSON? {
        guard case .object(var object)? = old, case .object(let other)? = new, random.chance(0.7) else { return new }
        let keys = Set(object.keys + other.keys).sorted()
        guard let key = random.pick(keys) else { return new }
        object[key] = other[key]
        return .object(object)
    }

    // MARK: - Choices

    /// Whether to write a field: often where a function reads it.
    mutating func wants(_ field: String, otherwise: Double = 0) -> Bool {
        random.chance(vocabulary.reads.contains(field) ? 0.6 : otherwise)
    }

    mutating func count(upTo limit: Int64 = 5_000) -> Int64 {
        if random.chance(0.1) { return Int64.random(in: 0...min(limit, 60), using: &random) }
        let known = vocabulary.integers.filter { $0 <= limit }
        // Beyond all that the policy names, too.
        return (random.chance(0.1) ? known.last : random.pick(known)) ?? 0
    }

    mutating func amount() -> JSON {
        let units = random.chance(0.05) ? 100_000_000 : random.pick(vocabulary.amounts) ?? 0
        return .string("\(units / 100).\(units % 100 < 10 ? "0" : "")\(units % 100)")
    }

    /// A text for a field: what it is compared with, a word of the policy's, or another.
    mutating func text(_ field: String) -> String {
        let compared = vocabulary.texts[field] ?? []
        if !compared.isEmpty, random.chance(0.7) { return random.pick(compared) ?? "other" }
        return random.chance(0.6) ? random.pick(vocabulary.words) ?? "other" : "other"
    }

    mutating func texts(_ field: String) -> JSON {
        .array((0..<Int.random(in: 0...2, using: &random)).map { _ in .string(text(field)) })
    }

    /// One of those that the policy names, or another.
    mutating func language() -> String { random.pick((vocabulary.texts["language"] ?? []) + ["en", "de"]) ?? "en" }

    mutating func category() -> String { random.pick(vocabulary.categories) ?? "other" }
    mutating func itemType() -> String { random.pick(vocabulary.itemTypes) ?? "other" }
    mutating func branch() -> String { random.pick(vocabulary.branches) ?? "other" }

    /// The library's own fields: declared ones as they are declared.
    mutating func extra(of owner: CustomField.Owner) -> JSONObject {
        var extra: JSONObject = [:]
        for field in vocabulary.fields[owner] ?? [] where random.chance(0.7) { extra[field.name] = value(of: field) }
        for name in vocabulary.extras where random.chance(0.5) {
            switch random.pick(vocabulary.kinds[name] ?? [.boolean]) ?? .boolean {
            case .boolean: extra[name] = .bool(random.chance(0.7))
            case .number: extra[name] = .integer(count())
            case .text: extra[name] = .string(text(name))
            }
        }
        return extra
    }

    private mutating func value(of field: CustomField) -> JSON {
        switch field.kind {
        case .text where !field.values.isEmpty: .string(random.pick(field.values) ?? "")
        case .text: .string(text(field.name))
        case .integer: .integer(within(field, count()))
        case .number: .number(Double(within(field, count())))
        case .boolean: .bool(random.chance(0.5))
        case .date: .string((random.pick(vocabulary.dates)?.description) ?? "2026-03-01")
        case .money: .string((amount().stringValue ?? "0.00") + " EUR")
        case .patron, .title: .integer(max(1, count()))
        case .branch: .string(branch())
        }
    }

    /// A number, or the nearest that the field may hold.
    private func within(_ field: CustomField, _ number: Int64) -> Int64 {
        let most = field.most.flatMap { Int64(exactly: $0.rounded(.down)) } ?? .max
        return max(min(number, most), field.least.flatMap { Int64(exactly: $0.rounded(.up)) } ?? .min)
    }
}
