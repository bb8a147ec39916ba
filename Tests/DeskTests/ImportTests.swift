import Circulation
import Desk
import Testing

@Suite("Imports", .everyStore)
struct ImportTests {
    private func loan(_ library: Library, _ loan: Loan) throws -> Imported<Loan> {
        try library.desk.write { try $0.imports.loan(loan) }
    }

    @Test("a loan of the past is an event at its own instant and counts in statistics only")
    func history() throws {
        let library = try Library()
        let past = try Instant(parsing: "2011-05-06T10:00:00Z")
        let old = Loan(title: 1, category: "child", branch: "main", lentAt: past, importKey: "row:1")
        guard case .added(let added) = try loan(library, old) else { throw DeskError.input(nil, "not added") }
        guard case .unchanged(let same) = try loan(library, old) else { throw DeskError.input(nil, "added twice") }
        #expect(same == added)
        #expect(try library.events(.loanImported).map(\.at) == [past])
        #expect(try library.desk.read { try $0.statistics.loans(by: .year) } == [LoanCount(key: "2011", count: 1)])
        #expect(try library.desk.read { try $0.catalogue.counts(of: 1) }.available == 2)
        try library.pass(days: 400)
        #expect(try library.desk.sweep().loans == 0)
        #expect(try library.desk.write { try $0.loans.renew(.id(added.id)) }.refusal?.code == "history_only")
        try library.expectSound()
    }

    @Test("an imported loan that is still open lends its copy, and lacks it if anything is missing")
    func open() throws {
        let library = try Library()
        let copy = try #require(try library.desk.read { try $0.catalogue.copy(barcode: "000000020001") })
        let due = try library.desk.read {
            try $0.loans.dueTime(on: CivilDate(year: 2026, month: 3, day: 20), branch: "main")
        }
        let ada = try library.id("ada")
        var open = Loan(copy: copy.id, patron: ada, lentAt: library.clock.now(), due: due, importKey: "a")
        _ = try loan(library, open)
        #expect(try library.desk.read { try $0.loans.active(of: .id(ada)) }.map(\.title) == [2])
        #expect(try library.desk.read { try $0.catalogue.counts(of: 2) }.onLoan == 1)
        open.importKey = "b"
        guard case .added(let second) = try loan(library, open) else { throw DeskError.input(nil, "not added") }
        #expect(second.copy == nil)
        let back = try library.desk.write { try $0.loans.checkin(.barcode(copy.barcode)) }.get()
        #expect(back.loan?.importKey == "a")
        try library.expectSound()
    }

    @Test("records are added, then unchanged, then updated where they differ")
    func records() throws {
        let library = try Library()
        func name<Record>(_ imported: Imported<Record>) -> String {
            switch imported {
            case .added: "added"
            case .updated: "updated"
            case .unchanged: "unchanged"
            case .rejected(let refusal): refusal.code
            }
        }
        try library.desk.write { session in
            let imports = session.imports
            var title = Title(title: "Beloved", authors: ["Toni Morrison"])
            #expect(name(try imports.title(title)) == "added")
            #expect(name(try imports.title(title)) == "unchanged")
            title.isbn = try ISBN("9781400033416")
            #expect(name(try imports.title(title)) == "added")
            title.year = 1987
            #expect(name(try imports.title(title)) == "updated")
            var copy = Copy(barcode: "b1", title: 4, branch: "main", itemType: "book")
            #expect(name(try imports.copy(copy)) == "added")
            copy.branch = "north"
            #expect(name(try imports.copy(copy)) == "updated")
            copy.branch = "nowhere"
            #expect(name(try imports.copy(copy)) == "unknown_branch")
            copy = Copy(barcode: "b1", title: 1, branch: "main", itemType: "book")
            #expect(name(try imports.copy(copy)) == "exists")
            var patron = Library.patron("dee")
            #expect(name(try imports.patron(patron)) == "added")
            #expect(name(try imports.patron(patron)) == "unchanged")
            patron.category = "nobody"
            #expect(name(try imports.patron(patron)) == "unknown_category")
            #expect(name(try imports.title(Title(title: ""))) == "input")
            #expect(name(try imports.branch(Branch(code: "south", name: "South"))) == "added")
            #expect(name(try imports.itemType(ItemType(code: "cd", name: "CD", parent: "cd"))) == "cycle")
        }
        #expect(try library.refusals().isEmpty)
        try library.expectSound()
    }

    @Test("thousands of titles go into one transaction")
    func thousands() throws {
        let library = try Library()
        try library.desk.write { session in
            for number in 0..<2_000 {
                _ = try session.imports.title(Title(title: "Volume \(number)"), existing: nil)
            }
        }
        #expect(try library.desk.read { try $0.catalogue.count(CatalogueQuery(words: "volume")) } == 2_000)
        try library.expectSound()
    }
}
