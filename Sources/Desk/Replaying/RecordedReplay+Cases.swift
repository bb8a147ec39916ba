import Circulation
import Glibc
import Storage
import TextFormats

// The cases that the decision log has are held against those made of the events.
extension RecordedReplay {
    /// The stored case is not trusted: what the events tell otherwise is reported, and the events are believed.
    ///
    /// - Returns: false if it cannot be read, which is reported.
    func check(_ recorded: RecordedCase, _ told: Case) throws -> Bool {
        let record = recorded.record
        let point = recorded.content.point
        if point != told.point {
            var other = told
            other.point = point
            return try check(record, other)
        }
        return try check(record, told)
    }

    private func check(_ record: DecisionRecord, _ told: Case) throws -> Bool {
        if isWritten(told, in: record.caseJSON) { return true }
        guard let stored = try readable(record) else { return false }
        let fields = CaseComparison.fields(stored, told)
        guard !fields.isEmpty else { return true }
        let names = fields.joined(separator: ", ")
        try contradict(record.event, "The stored case is not what the events tell: \(names).")
        return true
    }

    /// What becomes of a request that was decided: what is recorded, where the candidate can say nothing else.
    ///
    /// - Parameter ask: asks it.
    /// - Throws: ``ReplayDoubt`` where it says something else all the same.
    func answered(
        _ record: DecisionRecord, _ question: Case, _ before: ReplayedAnswer, _ ask: () throws -> ReplayedAnswer
    ) throws -> ReplayedAnswer {
        let isClear = contradicted != record.event && !before.isBroken
        switch questions.request(question, of: record.policy.map { [$0] }, isClear: isClear) {
        case .asked: return try ask()
        case .spared: return before
        case .checked:
            let after = try ask()
            guard before.isSame(as: after) else { throw ReplayDoubt(event: record.event, reason: .answer) }
            return after
        }
    }

    /// Reads the cases with which nothing is compared, those of sales and the like, so that damage is reported.
    func readUnasked(_ item: ReplayStream.Item) throws {
        let isAsked = ReplayPlan.kinds.contains(item.record.kind) || item.isArrival
        guard item.decisions.count > (isAsked ? 1 : 0), plan.sample == nil else { return }
        try inTurn { [self] in
            for record in item.decisions.dropFirst(isAsked ? 1 : 0) { _ = try readable(record) }
        }
    }

    /// The case of the decision log, nil if it is damaged, which is reported.
    private func readable(_ record: DecisionRecord) throws -> Case? {
        do {
            return try Case(recorded: record)
        } catch let error as CaseError {
            try contradict(record.event, "The stored case cannot be read: \(error.message)")
        } catch let error as TextError {
            try contradict(record.event, "The stored case cannot be read: \(error.message)")
        }
        return nil
    }

    /// Whether a case would be written as the text is. Then nothing is left to compare, and the text is not even read.
    private func isWritten(_ told: Case, in text: String) -> Bool {
        writer.reset()
        told.write(to: &writer, withCalendar: false)
        var text = text
        return text.withUTF8 { stored in
            writer.bytes.withUnsafeBytes { told in
                guard stored.count == told.count, let start = stored.baseAddress, let other = told.baseAddress else {
                    return false
                }
                return memcmp(start, other, told.count) == 0
            }
        }
    }
}

extension Case {
    /// A case of the decision log.
    ///
    /// - Throws: ``CaseError``; ``TextError``.
    init(recorded record: DecisionRecord) throws {
        try self.init(json: .object(try ReplayedAnswer.object(record.caseJSON)))
    }

    /// What the events do not tell of a recorded request: who asked whom for what. The rest has some value or other.
    ///
    /// - Returns: nil for a case that is to be read whole.
    /// - Throws: ``CaseError``; ``TextError``.
    init?(requestOf record: DecisionRecord) throws {
        let object = try ReplayedAnswer.object(record.caseJSON, only: Self.ofRequest)
        guard object["loan"]?.isNull ?? true, object["hold"]?.isNull ?? true else { return nil }
        try self.init(json: .object(object))
    }

    /// What is gathered only for some policies is gathered again from the same moment on.
    private static let patronOfRequest: JSONSelection = [
        "id": .whole, "age": .whole, "extra": .whole, "history_since": .whole, "owed_since": .whole,
        "household": .whole,
    ]
    private static let titleOfRequest: JSONSelection = ["id": .whole, "times_lent_since": .whole]

    private static let ofRequest: JSONSelection = [
        "point": .whole, "branch": .whole, "branches": .whole, "currency": .whole, "actor": .whole,
        "patron": patronOfRequest, "title": titleOfRequest, "copy": .whole,
        "loan": .whole, "request": .whole, "hold": .whole,
    ]
}

// A loan that was made: all but a few members are as the events tell, so that the most frequent case is read without further
// ado. Whatever is written otherwise than usual is left to the reader of cases.
extension Case {
    /// As ``init(requestOf:)``, without the copy, which the event names.
    ///
    /// - Returns: nil for a case that is to be read by other means.
    /// - Throws: ``TextError``.
    init?(checkoutOf record: DecisionRecord) throws {
        let object = try ReplayedAnswer.object(record.caseJSON, only: Self.ofCheckout)
        guard object["loan"]?.isNull ?? true, object["hold"]?.isNull ?? true, object["branches"] == nil,
            let point = object["point"]?.stringValue.flatMap(DecisionPoint.init(rawValue:)),
            point == .checkout || point == .request, let branches = object["branch"]?.codes,
            let actor = object["actor"]?.objectValue.flatMap(ActorFacts.init(written:)),
            let patron = object["patron"]?.objectValue.flatMap(PatronFacts.init(written:)),
            let request = object["request"]?.objectValue.flatMap(RequestFacts.init(written:))
        else { return nil }
        self.init(
            point: point, now: Instant(microseconds: 0), zone: .utc, calendar: .alwaysOpen, branch: "",
            branches: branches, currency: .eur, actor: actor, patron: patron, request: request)
        guard let title = object["title"], !title.isNull else { return }
        guard let id = title["id"]?.integerValue else { return nil }
        self.title = TitleFacts(id: id)
        if let json = title["times_lent_since"] {
            guard let since = Instant(written: json) else { return nil }
            self.title?.timesLentSince = since
        }
    }

    private static let ofCheckout: JSONSelection = [
        "point": .whole, "branch": .whole, "branches": .whole, "actor": .whole,
        "patron": patronOfRequest, "title": titleOfRequest, "loan": .whole,
        "request": .whole, "hold": .whole,
    ]
}

extension JSON {
    /// A code, or a list of one and its ancestors.
    fileprivate var codes: [String]? {
        if case .string(let code) = self { return [code] }
        guard case .array(let values) = self, !values.isEmpty else { return nil }
        let codes = values.compactMap(\.stringValue)
        return codes.count == values.count ? codes : nil
    }
}

extension ActorFacts {
    fileprivate init?(written object: JSONObject) {
        guard object.count == 2, let role = object["role"]?.stringValue.flatMap(Role.init(rawValue:)),
            let channel = object["channel"]?.stringValue.flatMap(Channel.init(rawValue:))
        else { return nil }
        self.init(role: role, channel: channel)
    }
}

extension PatronFacts {
    fileprivate init?(written object: JSONObject) {
        guard let id = object["id"]?.integerValue else { return nil }
        self.init(id: id, category: "", homeBranch: "", feesOwed: .zero(.eur))
        if let json = object["age"] {
            guard let age = json.integerValue, age >= 0 else { return nil }
            self.age = age
        }
        if let json = object["extra"] {
            guard let extra = json.objectValue else { return nil }
            self.extra = extra
        }
        if let json = object["history_since"] {
            guard let since = Instant(written: json) else { return nil }
            historySince = since
        }
        if let json = object["owed_since"] {
            guard let date = json.stringValue.flatMap({ try? CivilDate(parsing: $0) }) else { return nil }
            owedSince = date
        }
        guard let household = object["household"]?.objectValue else { return }
        linked = LinkedFacts(alone: self)
        if household["claimed"] != nil { linked?[.household].claimed = 0 }
        if household["same_title"] != nil { linked?.setSameTitle([:]) }
    }
}

extension Instant {
    fileprivate init?(written json: JSON) {
        guard let text = json.stringValue, let instant = try? Instant(parsing: text, in: .utc) else { return nil }
        self = instant
    }
}

extension RequestFacts {
    fileprivate init?(written object: JSONObject) {
        guard let size = object["size"]?.integerValue, size >= 0, let index = object["index"]?.integerValue, index >= 0,
            let titles = object["titles"]?.arrayValue, object["granted"] == nil
        else { return nil }
        let ids = titles.compactMap(\.integerValue)
        let others = ["on_site", "wanted_until"].count { object[$0] != nil }
        guard ids.count == titles.count, object.count == 3 + others else { return nil }
        self.init(size: size, titles: ids, index: index)
        if let json = object["on_site"] {
            guard let onSite = json.boolValue else { return nil }
            self.onSite = onSite
        }
        if let json = object["wanted_until"] {
            guard let date = json.stringValue.flatMap({ try? CivilDate(parsing: $0) }) else { return nil }
            wantedUntil = date
        }
    }
}
