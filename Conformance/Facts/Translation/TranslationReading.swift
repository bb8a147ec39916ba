import Circulation
import TextFormats

/// How a value of another system is read: general readers of periods, dates, amounts and weekdays, and words by table.
indirect enum TranslationReading: Sendable {
    /// As it is written.
    case same
    case number, flag
    /// A number of cents.
    case cents
    /// The code of a refusal, by its words.
    case reason
    /// A list of objects, each a record of the schema.
    case records(String)
    /// A number of days, hours and so on.
    case units(String)
    /// A period in words: `3 weeks`, `one day`.
    case period
    case money
    /// A date or an instant, with or without a weekday in brackets.
    case moment
    /// Its day alone.
    case date
    /// Dates of closed days.
    case closed
    /// Weekdays that are closed.
    case weekdays
    /// Hours by weekdays.
    case week
    /// Days with their hours.
    case openings
    /// Days that are open in spite of all.
    case opened
    /// Closures and openings, once or repeated.
    case exceptions
    /// Words for words.
    case words([String: JSON])
    /// A calendar: in words, by days with their hours, or with fields that have entries of their own.
    case calendar([TranslationTable.Entry])
    /// The same hours on each day.
    case daily
    case zone
    /// `Mon`, `Monday`.
    case weekday
    /// So many days ago, or from now on.
    case ago, ahead
    /// So many hours or minutes before now.
    case sinceHours(String)
    /// A limit on loans of a kind.
    case limit(JSONObject)
    /// So many loans, or holds, of the reader.
    case loans(JSONObject)
    case holds
    /// Fields of the reader where it is true.
    case flagged(JSONObject)
    /// Fields of the reader where it is false.
    case unflagged(JSONObject)
    /// An amount, or the price of the copy.
    case price
    /// Refused, or not.
    case refusal
    /// From when on something is refused, and whether that is reached or exceeded.
    case standing(JSONObject, String)
    /// Several values for a word.
    case settings([String: [(path: String, value: JSON)]])
    /// Other patrons who wait for the title.
    case waiters
    /// Other patrons who wait for the copy alone.
    case waitersForCopy
    /// Copies of the title that others have, beside the loan that is asked about.
    case others
    /// A stage of notices: `{timing, by, repeat_every}`, or so many days before the due time.
    case notice(String)
    /// Loans that are due in so many days, counted on or back.
    case dues(Int64)
    /// A block with its last day.
    case restriction
    /// Allowed, or not, or with a confirmation.
    case allowed
    case list(TranslationReading)
    /// Nothing is made of it.
    case nothing
    /// Yes for no.
    case opposite

    /// - Parameter unit: what a number counts, where the name of the field says it.
    /// - Returns: nil: not one of those that it knows.
    func value(_ value: JSON, _ unit: String? = nil) throws -> JSON? {
        switch self {
        case .same: return value
        case .units(let own): return Self.period(value, unit ?? own)
        case .period: return Self.period(value, unit ?? "days")
        case .number: return Self.number(value)
        case .flag: return Self.flag(value)
        case .cents:
            return value.integerValue.map { .string(Money(minorUnits: $0, currency: .eur).amountText) }
        case .money: return Self.amount(value).map { .string($0.amountText) }
        case .moment: return value.stringValue.flatMap(Self.moment)
        case .date: return value.stringValue.flatMap(Self.moment)?.stringValue.map { .string(String($0.prefix(10))) }
        case .words(let words):
            let text = value.stringValue ?? value.text()
            return words[text] ?? words.first { FieldName.key($0.key) == FieldName.key(text) }?.value
        case .reason: return value.stringValue.flatMap(ReasonWords.code)
        case .calendar, .nothing, .settings, .records: return .null
        case .list(let each):
            let list = try (value.arrayValue ?? [value]).map { try each.value($0, unit) }
            return list.contains { $0 == nil } ? nil : .array(list.compactMap { $0 })
        case .flagged(let fields): return Self.flag(value).map { $0 == true ? .array([.object(fields)]) : .array([]) }
        case .unflagged(let fields):
            return Self.flag(value).map { $0 == false ? .array([.object(fields)]) : .array([]) }
        case .price:
            let words = value.stringValue.map { FieldName.key($0) } ?? ""
            return words == "price" || words == "copy price"
                ? "replacement_price" : Self.amount(value).map { .string($0.amountText) }
        case .opposite, .refusal: return Self.flag(value).flatMap(\.boolValue).map { .bool(!$0) }
        case .sinceHours(let own): return Self.period(value, own)?.stringValue.map { .string("now - \($0)") }
        case .zone, .ago, .ahead, .allowed, .weekday: return word(value, unit)
        case .limit, .loans, .holds, .standing, .restriction, .waiters, .waitersForCopy, .others: return counted(value)
        case .notice(let side): return Self.notice(value, unit, side)
        case .dues(let sign):
            let days = (value.arrayValue ?? [value]).compactMap(\.integerValue)
            return .array(
                days.map { day in
                    let away = day * sign
                    return .object(["due": .string("today \(away < 0 ? "-" : "+") \(abs(away)) days")])
                })
        default: return try calendar(value)
        }
    }

    /// Whether a number of it counts something that a name may say.
    var takesUnits: Bool {
        switch self {
        case .period, .units, .ago, .ahead, .notice, .standing: true
        default: false
        }
    }

    var takesMoments: Bool {
        switch self {
        case .moment, .date: true
        default: false
        }
    }

    /// Whether it reads objects itself.
    var takesObjects: Bool {
        switch self {
        case .calendar, .openings, .week, .notice, .nothing: true
        case .period, .units, .money: true
        default: false
        }
    }

    /// How a value of a field of the schema is read.
    static func of(_ kind: SchemaField.Kind) -> TranslationReading {
        switch kind {
        case .flag: .flag
        case .count, .number: .number
        case .money: .money
        case .period: .period
        case .moment: .moment
        case .date: .date
        case .zone: .zone
        case .orNull(let own): of(own)
        case .term(let field): of(field)
        default: .same
        }
    }

    /// How a term of a rule is read.
    static func of(_ field: RuleField) -> TranslationReading {
        switch field.kind {
        case .boolean: .flag
        case .integer: .number
        case .period: .period
        case .money: .money
        case .moneyOrReplacementPrice: .price
        case .choice: .words(field.choices.reduce(into: [:]) { $0[$1] = .string($1) })
        case .date: .date
        default: .same
        }
    }

    // MARK: Plain values

    private static func number(_ value: JSON) -> JSON? {
        if value.integerValue != nil { return value }
        guard let text = value.stringValue?.lowercased() else { return nil }
        if ["unlimited", "no limit", "none", "infinite", "without limit", ""].contains(text) { return .null }
        return NumberWords.number(text).map { .integer($0) }
    }

    private static func flag(_ value: JSON) -> JSON? {
        if value.boolValue != nil { return value }
        switch value.stringValue?.lowercased() ?? value.text() {
        case "yes", "true", "1", "on", "allow", "allowed": return true
        case "no", "false", "0", "off", "block", "refused", "denied": return false
        default: return nil
        }
    }

    /// `3 weeks`, `"14"` or 14 of a unit, or an object with a number and a unit.
    static func period(_ value: JSON, _ unit: String) -> JSON? {
        if let object = value.objectValue {
            let number = object.entries.lazy.compactMap { $0.value.integerValue }.first
            let name = object.entries.lazy.compactMap { $0.value.stringValue }.first
            guard object.count == 2, let number, let name else { return nil }
            return PeriodWords.period("\(number) \(name.lowercased())").map { .string(text($0)) }
        }
        if let count = value.integerValue { return .string("\(count) \(unit)") }
        guard let words = value.stringValue?.lowercased() else { return nil }
        if FieldName.units.contains(FieldName.words(words).first ?? ""), !words.contains(" ") {
            return .string("1 \(FieldName.words(words)[0])s")
        }
        if ["unlimited", "indefinite", "without limit"].contains(words) { return "unlimited" }
        if let count = NumberWords.number(words) { return .string("\(count) \(unit)") }
        return PeriodWords.period(words.replacing("-", with: " ")).map { .string(text($0)) }
            ?? PeriodWords.period(words).map { .string(text($0)) }
    }

    private func word(_ value: JSON, _ unit: String?) -> JSON? {
        switch self {
        case .zone:
            // What has no zone, or says so, is reckoned in UTC.
            guard let name = value.stringValue?.split(separator: " ").first else { return nil }
            return Zone(identifier: String(name)) == nil ? "UTC" : .string(String(name))
        case .weekday:
            return value.stringValue.flatMap { Weekday(name: String($0.prefix(3))) }
                .map { .string($0.abbreviation.lowercased()) }
        case .ago: return Self.period(value, unit ?? "days")?.stringValue.map { .string("now - \($0)") }
        case .ahead: return Self.period(value, unit ?? "days")?.stringValue.map { .string("now + \($0)") }
        default:
            let asks = ["with confirmation", "confirm", "needs confirmation", "override", "with override", "ask"]
            if let text = value.stringValue?.lowercased(), asks.contains(text) { return "asks" }
            return Self.flag(value)
        }
    }

    private func counted(_ value: JSON) -> JSON? {
        if case .restriction = self {
            guard let day = value.stringValue else { return nil }
            // The last day of all stands for none.
            let block: JSONObject = day == "9999-12-31" ? [:] : ["until": .string(day)]
            return .array([.object(["blocks": .array([.object(block)])])])
        }
        if case .standing(let fields, let bound) = self {
            let money = Self.amount(value).map { JSON.string($0.amountText) }
            guard let most = fields["counts"] == "owed" ? money : Self.number(value) ?? money
            else { return nil }
            var standing = fields
            standing[bound] = most
            return .array([.object(standing)])
        }
        guard let number = Self.number(value) ?? value.arrayValue.map({ .integer(Int64($0.count)) }) else { return nil }
        if case .limit(let fields) = self { return .array([.object(Self.with(fields, "max", number))]) }
        guard let count = number.integerValue else { return nil }
        switch self {
        case .waiters: return .array(count == 0 ? [] : [.object(["count": .integer(count)])])
        case .waitersForCopy:
            return .array(count == 0 ? [] : [.object(["copy": "copy", "count": .integer(count)])])
        case .others:
            guard (0...500).contains(count) else { return nil }
            return .array(
                (1..<max(1, count)).map { number in
                    .object(["copy": .string("copy-\(number + 1)"), "patron": .string("borrower-\(number + 1)")])
                })
        case .loans(let fields): return .array(count == 0 ? [] : [.object(Self.with(fields, "count", .integer(count)))])
        default: return .array(count == 0 ? [] : [.object(["patron": "reader", "count": .integer(count)])])
        }
    }

    /// Periods are elapsed time there.
    private static func notice(_ value: JSON, _ unit: String?, _ side: String) -> JSON? {
        if value.objectValue == nil {
            return period(value, unit ?? "days").map {
                .array([.object(["stage": side == "before" ? "upcoming" : "overdue", side: $0])])
            }
        }
        guard let object = value.objectValue else { return nil }
        var notice: JSONObject = ["stage": "notice"]
        var (timing, distance): (String?, JSON?) = (nil, nil)
        for part in object.entries {
            switch FieldName.plain(part.key) {
            case "timing", "send", "when", "send_how": timing = part.value.stringValue?.lowercased()
            case "by", "send_by", "distance": distance = part.value
            case "repeat_every", "send_every", "every":
                guard let minutes = elapsed(part.value) else { return nil }
                notice["every"] = minutes
            default: return nil
            }
        }
        guard let distance else { return .array([.object(notice)]) }
        guard let timing, ["before", "after"].contains(timing), let minutes = elapsed(distance) else { return nil }
        notice[timing] = minutes
        return .array([.object(notice)])
    }

    private static func elapsed(_ value: JSON) -> JSON? {
        period(value, "days")?.stringValue.flatMap(PeriodWords.period)?.elapsedMinutes.map { .string("\($0) minutes") }
    }

    /// An amount for each unit of lateness: `1.00 per day`, `20 cents per day`, `0.25/day`.
    static func rate(_ value: JSON) -> (amount: String, per: String)? {
        guard let text = value.stringValue?.lowercased() else { return nil }
        let parts = text.replacing("/", with: " per ").replacing(" a ", with: " per ").replacing(
            " each ", with: " per "
        )
        .components(separatedBy: " per ")
        guard parts.count == 2 else { return nil }
        let isCents = parts[0].contains("cent") || parts[0].hasSuffix("c")
        let plain = parts[0].filter { $0.isNumber || $0 == "." }
        guard let per = period(.string(parts[1].trimmed), "days")?.stringValue else { return nil }
        if isCents, let cents = Int64(plain) {
            return (Money(minorUnits: cents, currency: .eur).amountText, per)
        }
        return amount(.string(parts[0])).map { ($0.amountText, per) }
    }

    private static func with(_ object: JSONObject, _ name: String, _ value: JSON) -> JSONObject {
        var object = object
        object[name] = value
        return object
    }

    static func text(_ period: Period) -> String {
        let unit = period.unit == .openDays ? "open days" : period.unit.rawValue
        return "\(period.count) \(unit)"
    }

    /// With or without the sign or the code of a currency.
    static func amount(_ value: JSON) -> Money? {
        let text = value.stringValue ?? value.integerValue.map(String.init) ?? value.doubleValue.map { "\($0)" }
        let plain = text?.filter { $0.isNumber || $0 == "." || $0 == "-" }
        let rest = text?.filter { $0.isLetter || $0 == "," || $0 == "(" }.lowercased() ?? ""
        guard ["", "eur", "usd", "gbp", "chf", "euro", "euros"].contains(rest) else { return nil }
        return plain.flatMap { try? Money(parsing: $0, currency: .eur) }
    }
}

extension String {
    /// Without spaces around it.
    fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }

    fileprivate func components(separatedBy mark: String) -> [String] {
        guard let range = firstRange(of: mark) else { return [self] }
        return [String(self[..<range.lowerBound]), String(self[range.upperBound...])]
    }
}
