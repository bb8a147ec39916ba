import Circulation
import Storage

/// What a replay makes of loans that came from another system and that no policy decided: the candidate is asked as far as
/// their facts go.
package struct ReplayedArrivals: Hashable, Sendable {
    /// What a record of such a loan may lack.
    package enum Fact: String, Hashable, Sendable, CaseIterable {
        case patron, title, category
        case itemType = "item_type"
        case branch
        case due = "due_at"
        case returned = "returned_at"
    }

    package var loans: Int64 = 0
    /// Those that the candidate was asked about: their category and item type are known.
    package var asked: Int64 = 0
    package var missing: [Fact: Int64] = [:]
    /// Refusals by code.
    package var refused: [String: Int64] = [:]
    /// Where the file tells the due time: on an earlier day under the candidate, on the same, on a later one.
    package var dueEarlier: Int64 = 0
    package var dueSame: Int64 = 0
    package var dueLater: Int64 = 0
    /// Those that came back after the due time that the candidate would have given them.
    package var late: Int64 = 0
}

extension ReplayRun {
    /// The case of a loan that came along, as it was put to the version that decides it; nil: the events know too little.
    func arrival(_ loan: Loan, _ item: ReplayStream.Item, _ recorded: Case) throws -> Case? {
        let maker = try ReplayCaseBuilder(fold, fold.session(of: item.record, recorded))
        guard let copy = try loan.copy.flatMap({ try fold.copy($0) }) else { return nil }
        return try maker.arrival(of: loan, on: copy, recorded)
    }

    /// What the candidate says to it. That the loan was made all the same is so under the candidate too, and its due time
    /// is that of the file.
    func answer(arrival question: Case, before: ReplayedAnswer) -> ReplayedAnswer {
        let whole = ReplayedAnswer(candidate.decide(ReplayCaseBuilder.request(before: question)))
        var after = whole.answer == Decision.Answer.allow.rawValue ? answer(question, overriding: before) : whole
        after.isOverridden = after.answer == before.answer && after.code == before.code && before.isOverridden
        if after.isOverridden {
            after.due = nil
            after.cost = 0
        }
        return after
    }

    /// What was answered when it came along.
    func before(arrival record: DecisionRecord) throws -> ReplayedAnswer? {
        guard var before = try stored(record) else { return nil }
        before.isOverridden = before.answer != Decision.Answer.allow.rawValue
        if before.isOverridden {
            before.due = nil
            before.cost = 0
        }
        return before
    }

    /// Asks about a loan that no policy decided, as far as its facts go.
    func askUntold(_ loan: Loan, _ item: ReplayStream.Item) throws {
        guard plan.sample == nil, plan.covers(item.record.at) else { return }
        let session = fold.session(at: loan.lentAt, as: .desk)
        let question = try untold(loan, CaseBuilder(session: session, known: fold.known))
        let missing = missing(in: loan)
        try inTurn { [self] in
            summary.arrivals.loans += 1
            for fact in missing { summary.arrivals.missing[fact, default: 0] += 1 }
            if let question { note(answer(question), loan, question.zone) }
        }
    }

    private func missing(in loan: Loan) -> [ReplayedArrivals.Fact] {
        let facts: [(ReplayedArrivals.Fact, Bool)] = [
            (.patron, loan.patron == nil), (.title, loan.title == nil), (.category, loan.category == nil),
            (.itemType, loan.itemType == nil), (.branch, loan.branch == nil), (.due, loan.due == nil),
            (.returned, loan.returnedAt == nil),
        ]
        return facts.filter(\.1).map(\.0)
    }

    private func note(_ after: ReplayedAnswer, _ loan: Loan, _ zone: Zone) {
        summary.arrivals.asked += 1
        guard after.isGranted else {
            summary.arrivals.refused[after.code ?? after.answer, default: 0] += 1
            return
        }
        guard let due = after.due else { return }
        if let returned = loan.returnedAt, returned > due { summary.arrivals.late += 1 }
        guard let told = loan.due else { return }
        let (day, toldDay) = (zone.date(of: due), zone.date(of: told.instant))
        if day < toldDay {
            summary.arrivals.dueEarlier += 1
        } else if day > toldDay {
            summary.arrivals.dueLater += 1
        } else {
            summary.arrivals.dueSame += 1
        }
    }

    /// What is known of it: who borrowed it had nothing else and owed nothing, as far as anybody can tell.
    private func untold(_ loan: Loan, _ desk: CaseBuilder) throws -> Case? {
        guard let category = loan.category, let itemType = loan.itemType,
            let branch = loan.branch ?? desk.settings.branches.first?.code
        else { return nil }
        let home = loan.homeBranch ?? branch
        let patron = PatronFacts(
            id: loan.patron ?? 0, category: category, categories: desk.settings.categories(from: category),
            homeBranch: home, homeBranches: desk.settings.branches(from: home),
            feesOwed: Money.zero(desk.settings.library.currency))
        let known = try loan.title.flatMap { try desk.title($0, for: patron.id) }
        let copy = CopyFacts(
            branch: "", branches: desk.settings.branches(from: branch),
            itemTypes: desk.settings.itemTypes(from: itemType), status: .available)
        let title = known ?? TitleFacts(id: loan.title ?? 0)
        var question = desk.question(.checkout, at: branch, patron: patron, title: title, copy: copy)
        question.request = RequestFacts(size: 1, titles: [title.id], index: 1, granted: [], onSite: loan.onSite)
        return question
    }
}

extension ReplayStream.Item {
    /// Whether it tells of a loan that came from another system.
    var isArrival: Bool { record.kind == EventKind.loanImported.name }
}

extension RecordedReplay {
    /// A loan that came along is asked about like one that was made: what the candidate would have said to it.
    func askArrival(_ item: ReplayStream.Item, _ loan: Loan) throws {
        guard let record = item.decisions.first else { return try askUntold(loan, item) }
        guard plan.sample == nil, let recorded = try recordedCase(item, isExpected: true) else { return }
        guard let question = try arrival(loan, item, recorded.content) else {
            return try report(item.record.sequence, "The events know no such patron or copy at that time.")
        }
        let told = recorded.content.point == .request ? ReplayCaseBuilder.request(before: question) : question
        let put = try asking(question)
        try inTurn { [self] in
            guard try check(recorded, told), let before = try before(arrival: record) else { return }
            let after = try answered(record, put, before) { answer(arrival: put, before: before) }
            try tell(item, question, loan: loan.id, before, after)
        }
    }
}

extension SimulatedReplay {
    /// A loan that came along is there whatever the candidate says of it; from then on the candidate decides it.
    func arrive(_ item: ReplayStream.Item, _ loan: Loan) throws {
        var loan = loan
        guard let record = item.decisions.first else {
            try askUntold(loan, item)
            return try keep(loan)
        }
        guard plan.covers(item.record.at), let recorded = try recordedCase(item, isExpected: true) else {
            return try keep(loan)
        }
        try adopt(recorded.content)
        if let question = try arrival(loan, item, recorded.content), let before = try before(arrival: record) {
            let put = try asking(question)
            try tell(item, question, loan: loan.id, before, answer(arrival: put, before: before))
        }
        loan.policy = candidate.version
        try keep(loan)
    }

    private func keep(_ loan: Loan) throws {
        if let version = loan.policy, let bundle = try tables.policies.bundle(version) {
            try transaction.policies.insert(bundle)
        }
        try keep(EventBody(.loanImported, loan))
    }
}
