import TextFormats

// The parts of a case; see ``Case/init(json:)`` for what is left out.
extension CaseObjectReader {
    func actor() throws(CaseError) -> ActorFacts {
        let reader = try reader("actor", CaseRecords.actor)
        return ActorFacts(role: try reader.word("role") ?? .staff, channel: try reader.word("channel") ?? .desk)
    }

    func patron() throws(CaseError) -> PatronFacts {
        let reader = try reader("patron", CaseRecords.patron)
        return PatronFacts(
            id: try reader.integer("id") ?? 1, category: "patron",
            categories: try reader.chain("category", or: "categories", "a category"), homeBranch: "",
            homeBranches: try reader.chain("home_branch", or: "home_branches", "a branch") ?? frame.branches,
            language: try reader.text("language"), age: try reader.count("age"),
            expiresOn: try reader.date("expires_on"),
            feesOwed: try reader.money("fees_owed") ?? .zero(frame.currency),
            overdue: try reader.count("overdue") ?? 0, lost: try reader.count("lost") ?? 0,
            claims: try reader.count("claims") ?? 0,
            blocks: try reader.blocks(), suspendedUntil: try reader.date("suspended_until"),
            loans: try reader.loans("loans"), holds: try reader.count("holds") ?? 0, extra: try reader.extra())
    }

    private func blocks() throws(CaseError) -> [BlockFacts] {
        var blocks: [BlockFacts] = []
        for reader in try readers("blocks", CaseRecords.block) {
            blocks.append(
                BlockFacts(
                    kind: try reader.text("kind") ?? "block", ends: try reader.date("ends"),
                    actions: try reader.actions()))
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
            loans.append(
                OpenLoanFacts(
                    title: try reader.integer("title") ?? -1 - Int64(loans.count), itemTypes: try reader.itemTypes(),
                    branch: "", branches: try reader.chain("branch", or: "branches", "a branch") ?? frame.branches,
                    copyBranches: try reader.chain("copy_branch", or: "copy_branches", "a branch"),
                    onSite: try reader.boolean("on_site") ?? false, channel: try reader.word("channel"),
                    dueAt: try reader.instant("due_at")))
        }
        return loans
    }

    private func extra() throws(CaseError) -> JSONObject {
        switch json("extra") {
        case nil, .array([])?: return [:]
        case .object(let object)?: return object
        case let json?: throw wrong("extra", "an object", json)
        }
    }

    func title() throws(CaseError) -> TitleFacts? {
        guard
            let reader = try part(
                "title", CaseRecords.title, isExpected: frame.hasTitle || isListingExpected || isLoanPriced)
        else { return nil }
        return TitleFacts(
            id: try reader.integer("id") ?? 1, genres: try reader.texts("genres"),
            courses: try reader.texts("courses"), copies: try reader.count("copies") ?? 1,
            available: try reader.count("available") ?? 1, holdsWaiting: try reader.count("holds_waiting") ?? 0,
            holdsForCopy: try reader.count("holds_for_copy") ?? 0, extra: try reader.extra())
    }

    func copy() throws(CaseError) -> CopyFacts? {
        guard let reader = try part("copy", CaseRecords.copy, isExpected: frame.hasCopy || isLoanPriced) else {
            return nil
        }
        return CopyFacts(
            branch: "", branches: try reader.chain("branch", or: "branches", "a branch") ?? frame.branches,
            itemTypes: try reader.itemTypes(), status: try reader.word("status") ?? .available,
            replacementPrice: try reader.money("replacement_price"),
            heldForOther: try reader.boolean("held_for_other") ?? false)
    }

    func request(for title: TitleFacts?) throws(CaseError) -> RequestFacts? {
        let isExpected = frame.lends || frame.point == .request
        guard let reader = try part("request", CaseRecords.request, isExpected: isExpected) else { return nil }
        let titles = try reader.integers("titles") ?? title.map { [$0.id] } ?? []
        return RequestFacts(
            size: try reader.count("size") ?? max(1, Int64(titles.count)), titles: titles,
            index: try reader.count("index") ?? (frame.lends ? 1 : 0), granted: try reader.loans("granted"),
            onSite: try reader.boolean("on_site") ?? false)
    }
}
