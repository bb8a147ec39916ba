import Circulation
import LuaRuntime
import LuaSyntax
import TextFormats

/// What a function of a policy answered to a request, a checkout, a renewal or a hold.
enum PermissionAnswer {
    /// Nothing: the desk's own answer.
    case standard
    case allow(despite: [String], due: AnsweredDue?, priority: Int64?)
    case confirm(code: String, message: String)
    case deny(code: String, message: String, mayBeOverridden: Bool)
}

/// A due time that a function answered.
enum AnsweredDue {
    /// Due at the rule's time of that day.
    case date(CivilDate)
    case exactly(Instant)
}

/// Reads and checks the answers of a policy's functions. Whatever is no answer makes the policy fail.
struct AnswerReader {
    let point: DecisionPoint
    let origin: RuleOrigin
    let keys: AnswerKeys

    func failure(_ message: String) -> PolicyFailure {
        PolicyFailure(code: "bad_answer", message: "\(point.rawValue) \(message)", file: origin.file, line: origin.line)
    }

    // MARK: - Permissions

    func permission(_ answer: borrowing LuaResults, zone: Zone) throws -> PermissionAnswer {
        switch answer.kind() {
        case .nil: return .standard
        case .table: break
        default: throw failure("must answer nothing, \(accepted), not \(words(try answer.toValue()))")
        }
        switch answer.string(keys.answer) {
        // A request is allowed where nothing refuses it: there must be something to set aside.
        case "allow" where point != .request || answer.kind(keys.despite) != .nil: return try allowance(answer, zone)
        case "confirm":
            let (code, message) = try wording(answer)
            return .confirm(code: code, message: message)
        case "deny":
            let (code, message) = try wording(answer)
            return .deny(code: code, message: message, mayBeOverridden: answer.boolean(keys.override) ?? false)
        default: throw failure("must answer nothing, \(accepted), not a table of its own")
        }
    }

    private var accepted: String {
        switch point {
        case .renew: "deny(code, message), confirm(code, message) or allow { due = ... }"
        case .hold: "deny(code, message), confirm(code, message) or allow { priority = ... }"
        default: "deny(code, message), confirm(code, message) or allow { despite = { ... } }"
        }
    }

    private func wording(_ answer: borrowing LuaResults) throws -> (code: String, message: String) {
        guard let code = answer.string(keys.code), !code.isEmpty, code.utf8.count <= 64,
            let message = answer.string(keys.message)
        else { throw failure("must give a code and a message with its refusal") }
        return (code, message)
    }

    private func allowance(_ answer: borrowing LuaResults, _ zone: Zone) throws -> PermissionAnswer {
        let due = try answer.toValue(keys.due)
        let despite = try answer.toValue(keys.despite)
        let answered = due.isNil ? nil : try self.due(due, zone)
        if answered != nil && point != .renew { throw failure("cannot set the due time; that is for the function due") }
        return .allow(despite: try standardCodes(despite), due: answered, priority: try priority(answer))
    }

    private func priority(_ answer: borrowing LuaResults) throws -> Int64? {
        let value = try answer.toValue(keys.priority)
        if value.isNil { return nil }
        guard point == .hold else { throw failure("cannot set a priority; that is for the function hold") }
        guard let priority = value.integerValue, (-1_000_000...1_000_000).contains(priority) else {
            throw failure("must give a priority from -1000000 to 1000000, not \(words(value))")
        }
        return priority
    }

    private static let requestCodes = [Refusal.Code.expired, Refusal.Code.blocked, Refusal.Code.suspended]
    private static let checkoutCodes = [
        Refusal.Code.notLent, Refusal.Code.noRule, Refusal.Code.heldForOther, Refusal.Code.limit,
        Refusal.Code.sameTitle,
    ]
    private static let holdCodes = [
        Refusal.Code.expired, Refusal.Code.blocked, Refusal.Code.suspended, Refusal.Code.notLent, Refusal.Code.noRule,
        Refusal.Code.limit, Refusal.Code.sameTitle,
    ]

    private static let renewalCodes = [
        Refusal.Code.expired, Refusal.Code.blocked, Refusal.Code.suspended, Refusal.Code.renewals,
        Refusal.Code.holdsWaiting, Refusal.Code.tooSoon,
    ]

    /// The standard checks that a function of the point may set aside.
    static func standardCodes(at point: DecisionPoint) -> [String] {
        switch point {
        case .request: requestCodes
        case .checkout: checkoutCodes
        case .hold: holdCodes
        case .renew: renewalCodes
        default: []
        }
    }

    private var standardCodes: [String] { Self.standardCodes(at: point) }

    private func standardCodes(_ value: LuaValue) throws -> [String] {
        if value.isNil { return [] }
        let elements = value.tableValue?.array ?? [value]
        return try elements.map { element in
            guard let code = element.stringValue, standardCodes.contains(code) else {
                let nearest = element.stringValue.flatMap { NameSuggestion.nearest(to: $0, among: standardCodes) }
                let hint = nearest.map { " (did you mean \"\($0)\"?)" } ?? ""
                throw failure(
                    "can allow despite \(standardCodes.joined(separator: ", ")), not \(words(element))\(hint)")
            }
            return code
        }
    }

    // MARK: - Times and amounts

    /// Nil for no answer.
    func due(_ answer: borrowing LuaResults, zone: Zone) throws -> AnsweredDue? {
        if answer.kind() == .nil { return nil }
        return try due(answer.toValue(), zone)
    }

    private func due(_ value: LuaValue, _ zone: Zone) throws -> AnsweredDue {
        if let date = value.dateValue { return .date(date) }
        guard let small = value.smallValue, let instant = small.instant else {
            throw failure("must answer a date or an instant, not \(words(value))")
        }
        return small.nature == .dateLike ? .date(zone.date(of: instant)) : .exactly(instant)
    }

    func money(_ answer: borrowing LuaResults, currency: Currency) throws -> Money? {
        if answer.kind() == .nil { return nil }
        guard let money = answer.value()?.money else {
            throw failure("must answer an amount of money, not \(words(try answer.toValue()))")
        }
        guard money.currency == currency, !money.isNegative else {
            throw failure("must answer an amount in \(currency.code) that is not negative, not \(money)")
        }
        return money
    }

    /// The last day of a membership that a function answered; nil for no answer.
    func membershipEnd(_ answer: borrowing LuaResults, for question: Case) throws -> MembershipEnd? {
        if answer.kind() == .nil { return nil }
        let value = try answer.toValue()
        if value.isUnlimited { return MembershipEnd(date: nil, origin: origin) }
        let instant = value.smallValue?.instant
        guard let date = value.dateValue ?? instant.map(question.zone.date(of:)) else {
            throw failure("must answer a date or unlimited, not \(words(value))")
        }
        guard date >= question.today else {
            throw failure("must not end a membership on \(date), before today, \(question.today)")
        }
        return MembershipEnd(date: date, origin: origin)
    }

    func words(_ value: LuaValue) -> String { PolicyReader.words(value) }
}
