import Circulation
import Prover
import TextFormats

/// Cases at a point in which what rows say shows: late loans, full counts, and the like.
struct QuestionVariants {
    private let one: RuleTerms
    private let other: RuleTerms

    init(_ one: RuleTerms, _ other: RuleTerms) { (self.one, self.other) = (one, other) }

    /// Cases without the codes that rows ask for.
    func cases(at point: DecisionPoint) -> [JSONObject] {
        let whole: JSONObject = ["point": .string(point.rawValue)]
        func with(_ part: String, _ fields: [JSONObject]) -> [JSONObject] {
            fields.map { own in
                var object = whole
                object[part] = .object(own)
                return object
            }
        }
        switch point {
        case .renew: return [whole] + with("loan", renewals)
        case .hold:
            return [whole] + with("patron", counts(\.hold.maximum, "holds"))
                + with("hold", counts(\.hold.maximumOfItemType, "of_item_type").flatMap(heldTypes))
                + with("hold", counts(\.hold.maximumPerDay, "placed_today"))
        case .fine, .checkin, .lost, .overdue: return late(whole)
        case .price: return [["point": "price", "loan": ["renewals": 0], "lines": .null]]
        default: return [whole]
        }
    }

    /// Patrons of the ages that rows of `membership` name, and of no age, who register or renew at several times of the year.
    static func memberships(_ rows: [MembershipRow]) -> [JSONObject] {
        let ages = Set(rows.flatMap { [$0.fromAge, $0.underAge, $0.untilAge].compactMap { $0 } })
        let whole = ages.sorted().flatMap { [$0 - 1, $0] }.filter { $0 >= 0 }
        let dates = rows.compactMap(\.untilDate).flatMap { date in [-1, 1].compactMap { try? date.adding(days: $0) } }
        let moments = (1...12).compactMap { try? CivilDate(year: 2026, month: $0, day: 15) } + dates
        var cases: [JSONObject] = []
        for today in moments {
            let born: [CivilDate?] = [nil] + whole.map { try? today.adding(months: -12 * $0 - 1) }
            let ends: [CivilDate?] = [nil, try? today.adding(days: 40)]
            for (birthDate, end) in born.flatMap({ born in ends.map { (born, $0) } }) {
                var patron: JSONObject = [:]
                patron["birth_date"] = birthDate.map { .string($0.description) }
                patron["expires_on"] = end.map { .string($0.description) }
                cases.append(["point": "expiry", "now": .string(today.description), "patron": .object(patron)])
            }
        }
        return cases
    }

    private var renewals: [JSONObject] {
        counts(\.renewal.maximum, "renewals") + counts(\.renewal.maximumUnseen, "unseen_renewals")
    }

    /// Counts that reach the one limit and not the other.
    private func counts(_ limit: KeyPath<RuleTerms, Int64?>, _ field: String) -> [JSONObject] {
        Set([one[keyPath: limit], other[keyPath: limit]].compactMap { $0 }).sorted().map { [field: .integer($0)] }
    }

    /// So many holds on the copy's own type, and on the types above it alone.
    private func heldTypes(_ hold: JSONObject) -> [JSONObject] {
        [hold, ["of_item_type": 0, "of_item_types": [0, hold["of_item_type"] ?? 0]]]
    }

    /// As where a case does not say when it is.
    private static let today = Instant.ofPlainCase.microseconds / 86_400_000_000
    private static let days: [Int64] = [1, 2, 4, 8, 15, 31, 61, 91, 200, 400, 1_000, 3_700]

    private func late(_ whole: JSONObject) -> [JSONObject] {
        var days = Self.days
        for terms in [one, other] {
            for period in [terms.lost.after, terms.fine.grace, terms.fine.per].compactMap({ $0 }) {
                let length =
                    period.unit == .weeks ? 7 * period.count : period.unit == .months ? 31 * period.count : period.count
                if period.unit != .hours, period.unit != .minutes { days += [length - 1, length, length + 1] }
            }
        }
        let past = days.filter { (1...20_000).contains($0) }.compactMap { try? CivilDate(dayNumber: Self.today - $0) }
        let loans: [JSONObject] =
            past.map { ["due_at": .string($0.description)] } + [1, 5, 30].map { ["hours_overdue": .integer($0)] }
            + ["2026-01-16", "2026-01-18", "2026-01-22", "2026-01-30"].map { ["due_at": .string($0)] }
        return loans.map { loan in
            var object = whole
            object["loan"] = .object(loan)
            object["copy"] = ["replacement_price": "25.00"]
            return object
        }
    }
}
