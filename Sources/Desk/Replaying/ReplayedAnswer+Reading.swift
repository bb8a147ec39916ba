import Circulation
import Storage
import TextFormats

extension ReplayedAnswer {
    /// What a policy says now.
    ///
    /// - Parameter countingFines: whether fines that have come together so far count among what it costs.
    init(_ decision: Decision, countingFines: Bool = false) {
        self.init(answer: decision.answer.rawValue)
        code = decision.refusal?.code
        message = decision.refusal?.message
        due = decision.due?.instant
        priority = decision.priority
        for effect in decision.effects {
            switch effect {
            case .suspend(let end, _): suspendedUntil = end
            case .rental(let amount, _, _): add(amount.minorUnits)
            case .charge(let order): add(order.amount.minorUnits)
            case .lose(let fee, _): add(fee?.minorUnits ?? 0)
            case .fine(let amount, _): if countingFines { add(amount.minorUnits) }
            case .notice: break
            }
        }
        origin = decision.refusal?.origin ?? decision.rule?.origin(of: "loan")
    }

    /// What the decision log keeps.
    init(_ record: DecisionRecord, countingFines: Bool = false) throws {
        let stored = EventPayload(try Self.object(record.decisionJSON, only: Self.read))
        self.init(answer: record.answer)
        isBroken = try stored.text("answer") != record.answer
        let refusal = try stored.optionalInner("refusal")
        code = try refusal?.text("code")
        message = try refusal?.text("message")
        due = try stored.optionalInstant("due")
        priority = try stored.optionalInteger("priority")
        for effect in try stored.inners("effects") { try add(effect, countingFines: countingFines) }
        origin = try refusal?.optionalInner("where")?.origin() ?? stored.optionalInner("fields")?.ruleOrigin("loan")
    }

    private mutating func add(_ effect: EventPayload, countingFines: Bool) throws {
        switch try effect.text("effect") {
        case "suspend": suspendedUntil = try effect.optionalDate("until")
        case "rental", "charge": add(try effect.money("amount").minorUnits)
        case "fine": if countingFines { add(try effect.money("amount").minorUnits) }
        case "lose": add(try effect.optionalMoney("fee")?.minorUnits ?? 0)
        default: break
        }
    }

    private mutating func add(_ amount: Int64) {
        let (sum, overflow) = cost.addingReportingOverflow(amount)
        cost = overflow ? .max : sum
    }

    private static let read: JSONSelection = [
        "answer": .whole, "refusal": .whole, "due": .whole, "priority": .whole, "effects": .whole,
        "fields": ["loan": .whole],
    ]

    static func object(_ text: String, only selection: JSONSelection = .whole) throws -> JSONObject {
        guard case .object(let object) = try JSONParser.parse(text, only: selection) else {
            throw DeskError.event("A decision of the log is not a JSON object.")
        }
        return object
    }
}

extension EventPayload {
    /// Where a field of the rule was set.
    fileprivate func ruleOrigin(_ field: String) throws -> RuleOrigin? {
        guard let place = try optionalInner(field), let file = try place.optionalText("file") else { return nil }
        return RuleOrigin(
            table: .rules, row: try place.optionalInteger("row").flatMap { Int(exactly: $0) }, field: field, file: file,
            line: try place.optionalInteger("line").flatMap { Int(exactly: $0) } ?? 0)
    }
}
