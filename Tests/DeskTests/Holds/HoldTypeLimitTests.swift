import Circulation
import Desk
import Storage
import Testing
import TextFormats

/// Films are discs and tapes: titles 4 to 6 have a disc each, 7 a tape, 8 a disc and a book.
private struct FilmLibrary {
    static let discs: [Int64] = [4, 5, 6]
    static let tape: Int64 = 7
    static let mixed: Int64 = 8

    let library: Library

    init(_ rules: [RuleRow], store: (any Store)? = nil) throws {
        library = try Library(store: store, policy: PolicySpec(tables: Self.tables(rules)))
        try library.desk.write { session in
            for (code, parent) in [("film", nil), ("disc", "film"), ("tape", "film")] as [(String, String?)] {
                _ = try session.settings.addItemType(ItemType(code: code, name: code, parent: parent)).get()
            }
            let titles = [["disc"], ["disc"], ["disc"], ["tape"], ["disc", "book"]]
            for (number, types) in titles.enumerated() {
                let title = try session.catalogue.add(Title(title: "Film \(number)", authors: ["A"])).get()
                for type in types { _ = try session.catalogue.addCopies(of: .id(title.id), itemType: type).get() }
            }
        }
    }

    static func tables(_ rules: [RuleRow]) -> PolicyTables {
        var tables = Library.tables()
        tables.rules = rules + tables.rules
        return tables
    }

    static func row(_ most: Int64, on itemTypes: [String]? = nil) -> RuleRow {
        RuleRow(
            conditions: RowConditions(itemTypes: itemTypes), fields: ["holds_of_item_type": .integer(most)],
            place: SourcePlace(file: "policy.lua", line: 2))
    }

    static let twoFilms = [row(2, on: ["film"])]

    /// Placed a minute after what was before.
    @discardableResult
    func place(_ title: Int64, _ patron: String = "bob") throws -> Outcome<QueuedHold> {
        try library.clock.advance(microseconds: 60_000_000)
        return try library.place(patron, title)
    }

    func place(copyOf title: Int64, _ itemType: String) throws -> Outcome<QueuedHold> {
        try library.clock.advance(microseconds: 60_000_000)
        let copy = try #require(try library.copies(title).first { $0.itemType == itemType })
        return try library.desk.write {
            try $0.holds.place(HoldRequest(patron: .username("bob"), wanted: .copy(copy.barcode)))
        }
    }

    func cases() throws -> [String] {
        try library.desk.read { try $0.transaction.decisions.page(after: 0, limit: 50).map(\.caseJSON) }
    }
}

@Suite("Holds by item type", .everyStore)
struct HoldTypeLimitTests {
    @Test("a third hold on a film is refused with its figures, and one on a book is not")
    func third() throws {
        let films = try FilmLibrary(FilmLibrary.twoFilms)
        let first = try films.place(FilmLibrary.discs[0]).get().hold.id
        _ = try films.place(FilmLibrary.tape).get()
        let refusal = try #require(try films.place(FilmLibrary.discs[1]).refusal)
        #expect(refusal.code == "limit")
        #expect(refusal.message == "This account has 2 holds on items of type film; the limit is 2.")
        #expect(refusal.reasons.first?.figures == ["limit": 2, "count": 2, "item_type": "film"])
        #expect(refusal.origin?.field == "holds_of_item_type" && refusal.origin?.row == 1)
        _ = try films.place(Library.emma).get()
        _ = try films.place(FilmLibrary.discs[1], "cyd").get()
        _ = try films.library.cancel(first).get()
        _ = try films.place(FilmLibrary.discs[1]).get()
        try films.library.expectSound()
    }

    @Test("a hold on the shelf counts as one that waits")
    func onTheShelf() throws {
        let films = try FilmLibrary([FilmLibrary.row(1, on: ["film"])])
        let hold = try films.place(FilmLibrary.discs[0]).get().hold.id
        let copy = try #require(try films.library.copies(FilmLibrary.discs[0]).first)
        _ = try films.library.scan(copy.barcode).get()
        #expect(try films.library.hold(hold).hold.state == .shelf)
        #expect(
            try films.place(FilmLibrary.tape).refusal?.message
                == "This account has 1 hold on items of type film; the limit is one.")
    }

    @Test("a row that names no type counts the copy's own, and one of two types that by which the copy meets it")
    func namedTypes() throws {
        let films = try FilmLibrary([FilmLibrary.row(1, on: ["disc", "tape"]), FilmLibrary.row(1)])
        _ = try films.place(FilmLibrary.discs[0]).get()
        _ = try films.place(FilmLibrary.tape).get()
        #expect(try films.place(FilmLibrary.discs[1]).refusal?.reasons.first?.figures["item_type"] == "disc")
        _ = try films.place(Library.emma).get()
        #expect(try films.place(Library.dune).refusal?.reasons.first?.figures["item_type"] == "book")
    }

    @Test("a hold for a copy counts by its type, one for a title by each type that could fill it")
    func copiesAndTitles() throws {
        let films = try FilmLibrary([FilmLibrary.row(1)])
        _ = try films.place(copyOf: FilmLibrary.mixed, "book").get()
        _ = try films.place(FilmLibrary.discs[0]).get()
        #expect(try films.place(Library.emma).refusal?.reasons.first?.figures["item_type"] == "book")
        let other = try FilmLibrary([FilmLibrary.row(1)])
        _ = try other.place(FilmLibrary.mixed).get()
        #expect(try other.place(FilmLibrary.discs[0]).refusal?.code == "limit")
        #expect(try other.place(Library.emma).refusal?.code == "limit")
        for copy in try other.library.copies(FilmLibrary.mixed) where copy.itemType == "disc" {
            _ = try other.library.desk.write { try $0.catalogue.withdrawCopy(barcode: copy.barcode).get() }
        }
        _ = try other.place(FilmLibrary.discs[0]).get()
        #expect(try other.place(Library.emma).refusal?.code == "limit")
    }

    @Test("a title without a copy is of no item type, and no limit of none refuses it")
    func noCopy() throws {
        let films = try FilmLibrary([FilmLibrary.row(0)])
        let title = try films.library.desk.write {
            try $0.catalogue.add(Title(title: "On order", authors: ["A"])).get()
        }
        _ = try films.place(title.id).get()
        #expect(try films.cases().last?.contains("\"of_item_type\":0") == true)
        let message = try films.place(FilmLibrary.tape).refusal?.message
        #expect(message == "Holds are not allowed on items of type tape.")
    }

    @Test("a replay finds the same again in both modes, and a candidate counts what it reads itself")
    func replayed() throws {
        let films = try FilmLibrary(FilmLibrary.twoFilms)
        for title in FilmLibrary.discs + [Library.emma, FilmLibrary.mixed] { try films.place(title) }
        let cases = try films.cases()
        #expect(cases.contains { $0.contains("\"of_item_type\":2,\"of_item_types\":[2,2]") })
        #expect(cases.contains { $0.contains("\"of_item_type\":0") && !$0.contains("of_item_types") })
        let same = PolicySpec(tables: FilmLibrary.tables(FilmLibrary.twoFilms))
        for mode in [ReplayPlan.Mode.recorded, .candidate] {
            let (witness, _) = try films.library.replay(same, ReplayPlan(mode: mode))
            #expect(witness.contradictions == [] && witness.differences == [] && witness.decisions.count >= 3)
            let strict = PolicySpec(tables: FilmLibrary.tables([FilmLibrary.row(1, on: ["film"])]))
            let (stricter, _) = try films.library.replay(strict, ReplayPlan(mode: mode))
            #expect(stricter.contradictions == [] && stricter.differences.map(\.after.code) == ["limit"])
        }
        let (plain, _) = try films.library.replay(Library.standard)
        #expect(plain.contradictions == [] && plain.differences.allSatisfy { $0.before.code == "limit" })
    }

    @Test("a log of a policy that did not count is held against one that does, which does not count the hold itself")
    func olderLog() throws {
        let films = try FilmLibrary([])
        let shadow = PolicySpec(tables: FilmLibrary.tables([FilmLibrary.row(1, on: ["film"])]))
        let bundle = films.library.loader.bundle(shadow, "shadow")
        _ = try films.library.desk.write { try $0.shadow.begin(bundle, note: "to see").get() }
        _ = try films.place(FilmLibrary.discs[0]).get()
        #expect(try films.library.desk.followShadow() == 1)
        let differences = try films.library.desk.read { session in
            try session.shadow.differences(of: try #require(try session.shadow.current()))
        }
        #expect(differences.isEmpty)
        #expect(try !films.cases().contains { $0.contains("of_item_type") })
        _ = try films.place(FilmLibrary.discs[1]).get()
        let (witness, _) = try films.library.replay(shadow)
        #expect(witness.contradictions == [] && witness.differences.map(\.after.code) == ["limit"])
    }

    @Test("at a recall the holds of who waits are counted and not those of the borrower, and a replay finds them again")
    func recalled() throws {
        var spec = PolicySpec(tables: Library.tables())
        spec.needs[.recall] = CaseNeeds(holdsByItemType: true)
        spec.answer = { question, decision in
            guard question.point == .recall, question.hold?.ofItemTypes == [1],
                let date = try? question.today.adding(days: 3)
            else { return decision }
            var recalled = decision
            recalled.due = DueTime(instant: question.zone.startOfDay(date), date: date, isExact: false)
            return recalled
        }
        let library = try Library(policy: spec)
        _ = try library.lend("ada", Library.emma).get()
        _ = try library.place("ada", Library.dune).get()
        _ = try library.place("cyd").get()
        #expect(try library.events(.loanRecalled).isEmpty)
        try library.pass(days: 1)
        _ = try library.place("bob", 3).get()
        _ = try library.place("bob").get()
        #expect(try library.events(.loanRecalled).count == 1)
        let (witness, _) = try library.replay(spec)
        #expect(witness.contradictions == [] && witness.differences == [])
    }

    @Test("many holds and copies are counted with one statement, each hold once")
    func many() throws {
        let films = try FilmLibrary([])
        let bob = try films.library.id("bob")
        try films.library.desk.write { session in
            _ = try session.catalogue.addCopies(of: .id(FilmLibrary.mixed), count: 200, itemType: "disc").get()
            for number in 0..<300 {
                let title = try session.catalogue.add(Title(title: "Title \(number)", authors: ["A"])).get()
                let type = number.isMultiple(of: 3) ? "tape" : "disc"
                _ = try session.catalogue.addCopies(of: .id(title.id), itemType: type).get()
                _ = try session.holds.place(HoldRequest(patron: .id(bob), wanted: .title(.id(title.id)))).get()
            }
            _ = try session.holds.place(HoldRequest(patron: .id(bob), wanted: .title(.id(FilmLibrary.mixed)))).get()
        }
        let counts = try films.library.desk.read { session in
            let start = try Instant(parsing: Library.start)
            let hold = HoldFacts(category: "patron", pickupBranch: "main", placedAt: start)
            return try session.transaction.facts.holdCounts(
                patron: bob, of: ["disc", "film"], but: hold, title: nil)
        }
        #expect(counts == [201, 301])
    }
}

@Suite("What counting holds by item type costs")
struct HoldTypeCostTests {
    private func statements(_ rules: [RuleRow]) throws -> [String] {
        let folder = try ScratchFolder()
        let recorder = StatementRecorder()
        let store = try SQLiteStore.open(.file(folder.path + "/desk.db"), create: true, recorder: recorder)
        defer { try? store.close() }
        let films = try FilmLibrary(rules, store: store)
        _ = try films.place(FilmLibrary.discs[0]).get()
        _ = recorder.take()
        _ = try films.place(FilmLibrary.discs[1]).get()
        return recorder.take().map(\.text)
    }

    @Test("placing a hold asks one question more where a row counts by item type, and none where none does")
    func statements() throws {
        let plain = try statements([])
        #expect(!plain.contains { $0.contains("FROM holds JOIN copies") })
        let counting = try statements(FilmLibrary.twoFilms)
        #expect(counting.count == plain.count + 1)
        #expect(counting.count { $0.contains("FROM holds JOIN copies") } == 1)
    }
}
