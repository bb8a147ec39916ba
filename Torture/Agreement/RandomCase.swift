import Circulation
import TextFormats

/// Makes random cases of few values, among them those that written policies name.
struct RandomCase {
    var random: SeededGenerator
    /// Of what came later, so that the rest stays the same for the same seed.
    private var later: SeededGenerator
    /// A case to begin with.
    let base: (DecisionPoint) -> JSONObject

    init(random: SeededGenerator, base: @escaping (DecisionPoint) -> JSONObject) {
        (self.random, later, self.base) = (random, random, base)
    }

    private static let categories = ["a", "b", "child", "adult"]
    private static let itemTypes = ["dvd", "book"]
    private static let branches = ["north", "main"]

    mutating func make(_ point: DecisionPoint) -> JSONObject {
        var object = base(point)
        // A proof takes clocks that do not change.
        object["time_zone"] = nil
        if chance(0.5) { object["calendar"] = nil }
        object["branch"] = chain(Self.branches)
        object["patron"] = .object(patron(object["patron"]?.objectValue ?? [:]))
        if var copy = object["copy"]?.objectValue {
            copy["item_type"] = chain(Self.itemTypes)
            if copy["branch"] != nil { copy["branch"] = chain(Self.branches) }
            if chance(0.5) { copy["replacement_price"] = amount(negative: false) }
            copy["location"] = (["a", "b", "zz", nil, nil] as [JSON?]).randomElement(using: &later) ?? nil
            object["copy"] = .object(copy)
        } else if object["copy"] == nil, chance(0.6), hasCopy(point) {
            object["copy"] = ["item_type": chain(Self.itemTypes)]
        }
        if point.isAboutLoan || [.checkout, .due, .hold].contains(point) {
            var title = object["title"]?.objectValue ?? [:]
            title["extra"] = .object(extra())
            if chance(0.5) { title["genres"] = texts() }
            if chance(0.4) { title["holds_waiting"] = .integer(few()) }
            object["title"] = .object(title)
        }
        if case .array(let lines)? = object["lines"] { object["lines"] = .array(lines.map { line($0) }) }
        if point == .checkout || point == .due, Double.random(in: 0..<1, using: &later) < 0.3 {
            var request = object["request"]?.objectValue ?? [:]
            let days: [JSON] = ["1999-12-31", "2026-01-15", "2026-01-18", "2026-02-10", "2031-05-01"]
            request["wanted_until"] = days.randomElement(using: &later)
            if object["request"] != .null { object["request"] = .object(request) }
        }
        if chance(0.3) {
            let channel = pick(["desk", "self", "web", "job"])
            object["actor"] = ["role": .string(pick(["staff", "patron", "job"])), "channel": .string(channel)]
        }
        return object
    }

    private func hasCopy(_ point: DecisionPoint) -> Bool {
        point.isAboutLoan || [.checkout, .due, .hold].contains(point)
    }

    private mutating func patron(_ known: JSONObject) -> JSONObject {
        var patron = known
        patron["category"] = chain(Self.categories)
        if chance(0.4) { patron["home_branch"] = chain(Self.branches) }
        let age: JSON? = chance(0.4) ? .integer(few()) : nil
        // Of a birth date the age follows.
        patron["age"] = patron["birth_date"] == nil ? age : nil
        for name in ["holds", "overdue", "lost", "claims"] where chance(0.6) { patron[name] = .integer(few()) }
        if chance(0.6) { patron["fees_owed"] = amount(negative: true) }
        if chance(0.4) { patron["language"] = .string(pick(["a", "b", "child", "1"])) }
        patron["extra"] = .object(extra())
        if chance(0.6) { patron["loans"] = .array((0..<few()).map { _ in .object(loan()) }) }
        addLongLists(to: &patron)
        // Groups have no fewer loans than the patron.
        let own = patron["loans"]?.arrayValue.map { Int64($0.count) } ?? patron["loans"]?.integerValue ?? 0
        for group in ["household", "guardians", "dependents", "family"] {
            if var known = patron[group]?.objectValue {
                known["loans"] = .integer(max(own, known["loans"]?.integerValue ?? 0))
                patron[group] = .object(known)
            }
            guard Double.random(in: 0..<1, using: &later) < 0.25 else { continue }
            let loans = Int64.random(in: 0...2, using: &later) + own
            patron[group] = [
                "people": .integer(Int64.random(in: 1...3, using: &later)), "loans": .integer(loans),
                "owed": .string(["0.00", "0.99", "1.00", "2.50"].randomElement(using: &later) ?? "0.00"),
            ]
        }
        return patron
    }

    /// Adds lists in which a proof lets one element stand for several.
    private mutating func addLongLists(to patron: inout JSONObject) {
        swap(&random, &later)
        defer { swap(&random, &later) }
        if chance(0.2) {
            let loans = (0..<Int.random(in: 5...12, using: &random)).map { _ in
                var loan = loan()
                if chance(0.5) { loan["branch"] = chain(Self.branches) }
                if chance(0.6) { loan["due_at"] = .string(pick(["2025-12-01T10:00:00", "2026-06-01T10:00:00"])) }
                if chance(0.2) { loan["title"] = .integer(pick([1, 2, 3])) }
                return JSON.object(loan)
            }
            patron["loans"] = .array(loans)
        }
        if chance(0.4) {
            patron["blocks"] = .array((0..<pick([1, 2, 5, 6, 7])).map { _ in .object(block()) })
        }
    }

    private mutating func block() -> JSONObject {
        let words = ["borrow", "renew", "hold", "cart", "market", "self"]
        let actions = words.filter { _ in chance(0.4) }
        var block: JSONObject = [
            "kind": .string(pick(["a", "b", "dvd"])),
            "actions": .array((actions.isEmpty ? ["borrow"] : actions).map { .string($0) }),
        ]
        if chance(0.4) { block["ends"] = "2031-05-01" }
        return block
    }

    /// A line that comes to no more than a proof takes.
    private mutating func line(_ known: JSON) -> JSON {
        guard var line = known.objectValue else { return known }
        line["price"] = amount(negative: false)
        return .object(line)
    }

    private mutating func loan() -> JSONObject {
        var loan: JSONObject = ["item_type": chain(Self.itemTypes)]
        if chance(0.3) { loan["on_site"] = true }
        if chance(0.4) { loan["channel"] = .string(pick(["web", "desk"])) }
        if chance(0.1) { loan["title"] = 1 }
        if Double.random(in: 0..<1, using: &later) < 0.25 { loan["claimed"] = true }
        loan["location"] = (["a", "b", nil, nil, nil] as [JSON?]).randomElement(using: &later) ?? nil
        return loan
    }

    // MARK: - Values

    private mutating func extra() -> JSONObject {
        var extra: JSONObject = [:]
        for name in ["x", "y"] where chance(0.75) {
            switch Int.random(in: 0...6, using: &random) {
            case 0...1: extra[name] = .string(pick(["a", "b", "child", "1", "18", "2.5", "A b", "", "zz"]))
            case 2...3: extra[name] = .integer(pick([0, 1, 2, 3, 5, 18, -1]))
            case 4: extra[name] = .bool(chance(0.5))
            case 5:
                let numbers = [2.5, 2.5, 0.5, 18.0, 2.0, -0.25, 2.50001]
                extra[name] = .number(numbers.randomElement(using: &later) ?? 2.5)
            default: extra[name] = texts()
            }
        }
        return extra
    }

    private mutating func few() -> Int64 { pick([0, 0, 1, 1, 2, 3, 4, 5, 6]) }

    private mutating func amount(negative: Bool) -> JSON {
        .string(pick(["0.00", "0.01", "1.00", "0.99", "1.01", "2.50", "10.00", negative ? "-1.00" : "3.33"]))
    }

    private mutating func texts() -> JSON {
        .array((0..<Int.random(in: 0...2, using: &random)).map { _ in .string(pick(["a", "b", "child", "zz"])) })
    }

    /// A code, alone or with others above it: those that stand behind it.
    private mutating func chain(_ codes: [String]) -> JSON {
        let start = Int.random(in: codes.indices, using: &random)
        return .array(codes[start...].prefix(chance(0.5) ? 1 : 3).map { .string($0) })
    }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }
}
