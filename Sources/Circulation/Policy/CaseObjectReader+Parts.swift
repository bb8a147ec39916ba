import TextFormats

// The parts of a case; see ``Case/init(json:)`` for what is left out.
extension CaseObjectReader {
    func actor() throws(CaseError) -> ActorFacts {
        var actor = ActorFacts.deskStaff
        try reader("actor", CaseRecords.actor).fill(&actor, CaseRecords.actor)
        return actor
    }

    func patron() throws(CaseError) -> PatronFacts {
        let reader = try reader("patron", frame.records.patron)
        var patron = PatronFacts(
            id: 1, category: "patron", categories: try reader.chain("category", or: "categories", "a category"),
            homeBranch: "",
            homeBranches: try reader.chain("home_branch", or: "home_branches", "a branch")
                ?? frame.branches, feesOwed: .zero(frame.currency))
        try reader.fill(&patron, frame.records.patron)
        if let born = patron.birthDate {
            let age = born.age(at: frame.zone.date(of: frame.now))
            guard patron.age == nil || patron.age == age else {
                throw CaseError(field: reader.field("age"), fault: "who was born on \(born) is \(age)")
            }
            patron.age = age
        }
        patron.blocks = try reader.blocks()
        patron.loans = try reader.loans("loans")
        patron.history = try reader.history()
        patron.linked = try reader.linked(of: patron)
        return patron
    }

    /// What the file says of some of those to whom the patron is linked; of the rest, what a patron has who is linked to
    /// nobody.
    private func linked(of patron: PatronFacts) throws(CaseError) -> LinkedFacts? {
        var linked: LinkedFacts?
        for group in PatronGroup.allCases {
            let record = CaseRecords.group(group)
            guard let reader = try part(group.rawValue, record, isExpected: false) else { continue }
            var facts = linked ?? LinkedFacts(alone: patron)
            try reader.fill(&facts[group], record)
            linked = facts
        }
        return linked
    }

    private func blocks() throws(CaseError) -> [BlockFacts] {
        var blocks: [BlockFacts] = []
        for reader in try readers("blocks", CaseRecords.block) {
            var block = BlockFacts(kind: "block")
            try reader.fill(&block, CaseRecords.block)
            blocks.append(block)
        }
        return blocks
    }

    /// A list of open loans, or how many loans of books.
    private func loans(_ key: String) throws(CaseError) -> [OpenLoanFacts] {
        if let number = json(key)?.integerValue {
            guard (0...10_000).contains(number) else { throw wrong(key, "0 to 10000 loans", .integer(number)) }
            return (0..<number).map {
                OpenLoanFacts(title: -1 - $0, itemTypes: ["book"], branch: "", branches: frame.branches)
            }
        }
        var loans: [OpenLoanFacts] = []
        for reader in try readers(key, CaseRecords.openLoan) {
            var loan = OpenLoanFacts(
                title: -1 - Int64(loans.count), itemTypes: try reader.itemTypes(), branch: "",
                branches: try reader.chain("branch", or: "branches", "a branch") ?? frame.branches,
                copyBranches: try reader.chain("copy_branch", or: "copy_branches", "a branch"))
            try reader.fill(&loan, CaseRecords.openLoan)
            loans.append(loan)
        }
        return loans
    }

    private func history() throws(CaseError) -> [PastLoanFacts] {
        var loans: [PastLoanFacts] = []
        for reader in try readers("history", CaseRecords.pastLoan) {
            let loan = OpenLoanFacts(
                title: -1 - Int64(loans.count), itemTypes: try reader.itemTypes(), branch: "",
                branches: try reader.chain("branch", or: "branches", "a branch") ?? frame.branches,
                copyBranches: try reader.chain("copy_branch", or: "copy_branches", "a branch"))
            var past = PastLoanFacts(loan: loan, lentAt: frame.now)
            try reader.fill(&past, CaseRecords.pastLoan)
            loans.append(past)
        }
        return loans
    }

    func title() throws(CaseError) -> TitleFacts? {
        guard
            let reader = try part(
                "title", frame.records.title, isExpected: frame.hasTitle || isListingExpected || isLoanPriced)
        else { return nil }
        var title = TitleFacts(id: 1, copies: 1, available: 1)
        try reader.fill(&title, frame.records.title)
        return title
    }

    func copy() throws(CaseError) -> CopyFacts? {
        guard let reader = try part("copy", frame.records.copy, isExpected: frame.hasCopy || isLoanPriced)
        else {
            return nil
        }
        var copy = CopyFacts(
            branch: "", branches: try reader.chain("branch", or: "branches", "a branch") ?? frame.branches,
            itemTypes: try reader.itemTypes(), status: .available)
        try reader.fill(&copy, frame.records.copy)
        return copy
    }

    func request(for title: TitleFacts?) throws(CaseError) -> RequestFacts? {
        let isExpected = frame.lends || frame.point == .request
        guard let reader = try part("request", CaseRecords.request, isExpected: isExpected) else { return nil }
        var request = RequestFacts(size: 0, titles: title.map { [$0.id] } ?? [], index: frame.lends ? 1 : 0)
        try reader.fill(&request, CaseRecords.request)
        if reader.json("size") == nil { request.size = max(1, Int64(request.titles.count)) }
        request.granted = try reader.loans("granted")
        return request
    }
}
