import Circulation
import Desk
import Storage
import Testing

@Suite("Settings and catalogue", .everyStore)
struct SettingsTests {
    @Test("a fresh store has a zone, a currency, a branch, an item type and a category")
    func fresh() throws {
        let desk = Desk(
            store: try StoreKind.current.store(), policies: TestLoader(),
            clock: FixedClock(try Instant(parsing: Library.start)), actor: .desk, extensions: [])
        try desk.prepare()
        try desk.prepare()
        try desk.read { session in
            let library = try session.settings.library()
            #expect(library.zone == .utc && library.currency == .eur)
            #expect(try session.settings.branches().map(\.code) == ["main"])
            #expect(try session.settings.itemTypes().map(\.code) == ["book"])
            #expect(try session.settings.categories().map(\.code) == ["patron"])
            #expect(try session.events.last() == 4)
        }
        #expect(try desk.examine().isSound)
    }

    @Test("the currency is free until the first line of an account, and fixed from then on")
    func currency() throws {
        let library = try Library()
        let usd = try #require(Currency(code: "USD"))
        _ = try library.desk.write { try $0.settings.setLibrary(currency: usd) }.get()
        _ = try library.desk.write { try $0.settings.setLibrary(currency: .eur) }.get()
        _ = try library.desk.write { session in
            try session.fees.charge(.username("ada"), amount: Money(minorUnits: 5, currency: .eur), label: "x")
        }.get()
        #expect(try library.desk.write { try $0.settings.setLibrary(currency: usd) }.refusal?.code == "currency_fixed")
        #expect(throws: DeskError.self) {
            try library.desk.write { session in
                try session.fees.charge(.username("ada"), amount: Money(minorUnits: 5, currency: usd), label: "x")
            }
        }
        try library.expectSound()
    }

    @Test("an item type is never its own ancestor")
    func cycle() throws {
        let library = try Library()
        func parent(_ code: String, _ parent: String) throws -> String? {
            try library.desk.write { try $0.settings.updateItemType(code) { $0.parent = parent } }.refusal?.code
        }
        #expect(try parent("book", "dvd") == "cycle")
        #expect(try parent("book", "book") == "cycle")
        #expect(try parent("dvd", "nothing") == "unknown_item_type")
        try library.expectSound()
    }

    @Test("what is used cannot be removed, what is taken not added again")
    func inUse() throws {
        let library = try Library()
        try library.desk.write { session throws in
            let settings = session.settings
            #expect(try settings.removeBranch("main").refusal?.code == "in_use")
            #expect(try settings.removeCategory("patron").refusal?.code == "in_use")
            #expect(try settings.removeItemType("book").refusal?.code == "in_use")
            #expect(try settings.removeBranch("north").value?.code == "north")
            #expect(try settings.removeBranch("north").refusal?.code == "unknown_branch")
            #expect(try settings.addCategory(Category(code: "staff", name: "")).refusal?.code == "exists")
            #expect(throws: DeskError.self) { try settings.addBranch(Branch(code: "a b", name: "")) }
        }
        try library.expectSound()
    }

    @Test("a location gets a name, another one, and loses it unless a copy stands there")
    func locations() throws {
        let library = try Library()
        let name = "Reference"
        try library.desk.write { session throws in
            let settings = session.settings
            // Any word will do, with a name or without.
            _ = try session.catalogue.addCopies(of: .id(1), location: "new books").get()
            #expect(try settings.name(ofLocation: "new books") == "new books")
            #expect(try settings.addLocation(ShelvingLocation(code: "new books", name: name)).value?.name == name)
            #expect(try settings.addLocation(ShelvingLocation(code: "ref", name: "R")).value?.code == "ref")
            #expect(try settings.addLocation(ShelvingLocation(code: "ref", name: "S")).refusal?.code == "exists")
            #expect(try settings.updateLocation("new books") { $0.name = "At the door" }.value?.code == "new books")
            #expect(try settings.name(ofLocation: "new books") == "At the door")
            #expect(try settings.updateLocation("kids") { $0.name = "" }.refusal?.code == "unknown_location")
            let kept = try settings.removeLocation("new books").refusal
            #expect(kept?.code == "in_use" && kept?.message.contains("1 copy has it") == true, "\(kept?.message ?? "")")
            #expect(try settings.removeLocation("ref").value?.name == "R")
            #expect(try settings.removeLocation("ref").refusal?.code == "unknown_location")
            for code in ["", " ref", "a\nb", String(repeating: "x", count: 101)] {
                #expect(throws: DeskError.self, "\(code)") {
                    try settings.addLocation(ShelvingLocation(code: code, name: ""))
                }
            }
            for copy in try session.catalogue.copies(of: .id(1)) where copy.location == "new books" {
                _ = try session.catalogue.withdrawCopy(barcode: copy.barcode).get()
            }
        }
        // The last one may go, unlike the last branch: a library needs none.
        let last = try library.desk.write { try $0.settings.removeLocation("new books") }
        #expect(last.value?.name == "At the door", "\(last)")
        try library.expectSound()
    }

    @Test("an ISBN stands for one title")
    func isbn() throws {
        let library = try Library()
        let isbn = try ISBN("0-441-17271-7")
        let title = try library.desk.write { try $0.catalogue.add(Title(isbn: isbn, title: "Dune")) }.get()
        #expect(try library.desk.read { try $0.catalogue.get(.isbn(isbn)) } == title)
        #expect(
            try library.desk.write { try $0.catalogue.add(Title(isbn: isbn, title: "X")) }.refusal?.code == "exists")
        let other = try library.desk.write { try $0.catalogue.update(.id(1)) { $0.isbn = isbn } }
        #expect(other.refusal?.code == "exists")
        #expect(throws: DeskError.self) { try library.desk.write { try $0.catalogue.add(Title(title: " ")) } }
    }

    @Test("titles are found by words of their fields, and go with their copies")
    func catalogue() throws {
        let library = try Library()
        func found(_ query: CatalogueQuery) throws -> [Int64] {
            try library.desk.read { try $0.catalogue.search(query) }.map(\.id)
        }
        #expect(try found(CatalogueQuery(words: "emma")) == [2])
        #expect(try found(CatalogueQuery(words: "uly", prefix: true)) == [3])
        #expect(try found(CatalogueQuery(words: "ulysses", field: .author)) == [3])
        #expect(try found(CatalogueQuery()) == [1, 2, 3])
        let loan = try library.lend("ada", 2).get()[0]
        #expect(try found(CatalogueQuery(available: true)) == [1, 3])
        #expect(try library.desk.write { try $0.catalogue.remove(.id(2)) }.refusal?.code == "on_loan")
        #expect(try library.desk.write { try $0.catalogue.removeAll() }.refusal?.code == "on_loan")
        _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)) }.get()
        #expect(try library.desk.read { try $0.catalogue.trending(days: 5, ListPart(limit: 5)) }.map(\.loans) == [1])
        #expect(try library.desk.write { try $0.catalogue.removeAll() }.value == 3)
        #expect(try found(CatalogueQuery()).isEmpty)
        #expect(try library.desk.read { try $0.loans.get(.id(loan.id)) }?.title == nil)
        #expect(try library.desk.read { try $0.statistics.loans(by: .month) }.map(\.count) == [1])
        try library.expectSound()
    }

    @Test("a desk that keeps rankings reads one again when it is too old; what was removed is left out at once")
    func rankings() throws {
        let library = try Library()
        let serving = library.desk.keepingRankings(seconds: 600)
        func loans(_ desk: Desk, _ days: Int64 = 30) throws -> [Int64] {
            try desk.read { try $0.catalogue.trending(days: days, ListPart(limit: 5)) }.map(\.loans)
        }
        _ = try library.lend("ada", 2).get()
        #expect(try loans(serving) == [1] && loans(library.desk) == [1])
        let second = try library.lend("bob", 3).get()[0]
        #expect(try loans(serving) == [1] && loans(library.desk) == [1, 1])
        #expect(try loans(serving.acting(as: .desk)) == [1], "it is the same desk")
        #expect(try loans(serving, 29) == [1, 1], "other days are another ranking")
        try library.clock.advance(microseconds: 599_000_000)
        #expect(try loans(serving) == [1])
        try library.clock.advance(microseconds: 1_000_000)
        #expect(try loans(serving) == [1, 1])
        _ = try library.desk.write { try $0.loans.checkin(.id(second.id)) }.get()
        #expect(try library.desk.write { try $0.catalogue.remove(.id(3)) }.refusal == nil)
        #expect(try loans(serving) == [1])
    }

    @Test("copies get barcodes of their own, and no two the same")
    func barcodes() throws {
        let library = try Library()
        let copies = try library.desk.write { session in
            try session.catalogue.addCopies(of: .id(2), count: 3, itemType: "dvd", barcodes: ["mine"])
        }.get()
        #expect(copies.map(\.barcode) == ["mine", "000000020002", "000000020003"])
        #expect(copies.allSatisfy { $0.branch == "main" && $0.itemType == "dvd" })
        let again = try library.desk.write {
            try $0.catalogue.addCopies(of: .id(1), count: 2, barcodes: ["new", "mine"])
        }
        #expect(again.refusal?.code == "exists")
        #expect(try library.desk.read { try $0.catalogue.copy(barcode: "new") } == nil)
        #expect(throws: DeskError.self) { try library.desk.write { try $0.catalogue.addCopies(of: .id(1), count: 0) } }
        try library.expectSound()
    }
}
