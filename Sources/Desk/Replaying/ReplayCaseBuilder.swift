import Circulation
import Storage
import TextFormats

/// Makes the case of a recorded request anew, from what the events say. What is personal is in no event and comes from the
/// recorded case: age and `extra`; so does what the patron asked for.
struct ReplayCaseBuilder {
    let fold: ReplayFold
    let session: DeskSession
    let desk: CaseBuilder

    init(_ fold: ReplayFold, _ session: DeskSession) throws {
        self.fold = fold
        self.session = session
        desk = try CaseBuilder(session: session, known: fold.known)
    }

    /// The case of a title asked for, and that of the request as a whole if the record is about it.
    ///
    /// - Parameter granted: what the request was granted before it; nil: as it was recorded.
    func checkout(_ recorded: Case, copy known: Copy?, granted: [OpenLoanFacts]? = nil) throws -> Case? {
        guard let patron = try patron(recorded, at: recorded.branch) else { return nil }
        var request = recorded.request
        if let granted { request?.granted = granted }
        if recorded.point == .request {
            let question = desk.question(.request, at: recorded.branch, patron: patron, request: request)
            return try desk.completed(question, as: recorded)
        }
        guard let titleID = recorded.title?.id, let title = try desk.title(titleID, for: patron.id) else { return nil }
        var question = desk.question(.checkout, at: recorded.branch, patron: patron, title: title, request: request)
        if let known {
            question.copy = try desk.facts(of: known, for: patron.id, waiting: title.holdsWaiting)
        } else if let wanted = recorded.copy {
            question.copy = try copy(of: titleID, like: wanted) {
                try desk.facts(of: $0, for: patron.id, waiting: title.holdsWaiting)
            }
        }
        return try desk.completed(question, as: recorded)
    }

    /// The request as a whole, before its first title.
    static func request(before question: Case) -> Case {
        var whole = question
        whole.point = .request
        whole.title = nil
        whole.copy = nil
        whole.request?.index = 0
        whole.request?.granted = []
        return whole
    }

    /// The case of a loan that came along, as it was put to the version that decides it.
    func arrival(of loan: Loan, on copy: Copy, _ recorded: Case) throws -> Case? {
        var question = try desk.arrival(of: loan, on: copy)
        question?.patron.adopt(KnownPerson(recorded.patron))
        return try question.map { try desk.completed($0, as: recorded) }
    }

    func hold(_ recorded: Case, copy known: Copy?) throws -> Case? {
        guard let wanted = recorded.hold, let titleID = recorded.title?.id,
            let patron = try patron(recorded, at: wanted.pickupBranch),
            let title = try desk.title(titleID, for: patron.id)
        else { return nil }
        var question = desk.question(.hold, at: wanted.pickupBranch, patron: patron, title: title)
        if let known {
            question.copy = desk.facts(of: known)
        } else if let wanted = recorded.copy {
            question.copy = try copy(of: titleID, like: wanted) { desk.facts(of: $0) }
        }
        let hold = Hold(
            title: titleID, copy: wanted.isForCopy ? known?.id ?? 0 : nil, patron: patron.id,
            pickupBranch: wanted.pickupBranch, placedAt: session.now, expiresOn: wanted.expiresOn)
        question.hold = try session.holds.facts(ofNew: hold, by: patron, of: titleID, desk)
        return try desk.completed(question, as: recorded)
    }

    /// A question about a loan; nil if the loan lacks what decisions need.
    func about(_ loan: Loan, _ point: DecisionPoint, _ recorded: Case?, _ known: KnownPerson?) throws -> LoanCase? {
        guard var about = try desk.question(point, about: loan) else { return nil }
        if let recorded {
            about.question.patron.adopt(KnownPerson(recorded.patron))
            about.question.actor = recorded.actor
            about.question.hold = recorded.hold
            about.question = try desk.completed(about.question, as: recorded)
        } else {
            about.question.patron.adopt(known)
        }
        return about
    }

    private func patron(_ recorded: Case, at branch: String) throws -> PatronFacts? {
        var facts = try desk.patron(recorded.patron.id, at: branch)
        facts?.adopt(KnownPerson(recorded.patron))
        return facts
    }

    /// The copy itself is not in the case: any one of the title that looks the same is as good.
    private func copy(
        of title: Int64, like wanted: CopyFacts, _ facts: (Copy) throws -> CopyFacts
    ) throws -> CopyFacts? {
        var first: CopyFacts?
        for copy in try fold.transaction.copies.of(title: title) {
            let found = try facts(copy)
            if found == wanted { return found }
            first = first ?? found
        }
        return first
    }
}

/// What a case says of a person that no event does.
struct KnownPerson: Hashable {
    var age: Int64?
    var extra: JSONObject

    /// Nil where there is nothing to remember.
    init?(_ facts: PatronFacts) {
        guard facts.age != nil || !facts.extra.isEmpty else { return nil }
        age = facts.age
        extra = facts.extra
    }
}

extension PatronFacts {
    fileprivate mutating func adopt(_ known: KnownPerson?) {
        age = known?.age
        extra = known?.extra ?? [:]
    }
}
