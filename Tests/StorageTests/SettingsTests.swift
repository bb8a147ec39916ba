import Circulation
import Storage
import Testing
import TextFormats

@Suite("Settings")
struct SettingsTests {
    @Test(
        "a fresh store has no library, and a snapshot with the usual zone and currency", arguments: TestDriver.allCases)
    func fresh(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.read { (transaction) throws in
                #expect(try transaction.settings.library() == nil)
                let snapshot = try transaction.settings.snapshot()
                #expect(snapshot.library == LibrarySettings(name: "", zone: .utc, currency: .eur))
                #expect(snapshot.branches.isEmpty)
            }
        }
    }

    @Test("the library, branches with calendars, categories and item types come back", arguments: TestDriver.allCases)
    func roundTrip(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            let zone = try Zone(named: "Europe/Berlin")
            let library = LibrarySettings(name: "Stadtbücherei", zone: zone, currency: try Currency(named: "JPY"))
            let calendar = try OpeningCalendar(
                json: [
                    "weekly": ["mon": [["09:00", "12:30"], ["13:30", "18:00"]]], "closed": ["2026-12-24"],
                    "yearly": ["12-25"], "open": ["2026-12-20"],
                ])
            let branches = [
                Branch(code: "z", name: "Zentral", zone: zone, calendar: calendar), Branch(code: "a", name: "Außen"),
            ]
            try store.write { (transaction) throws in
                try transaction.settings.setLibrary(library)
                for branch in branches { try transaction.settings.insert(branch) }
                try transaction.settings.insert(ItemType(code: "media", name: "Media"))
                try transaction.settings.insert(ItemType(code: "dvd", name: "DVD", parent: "media"))
                try transaction.settings.insert(Category(code: "child", name: "Child"))
                try transaction.settings.insert(ShelvingLocation(code: "ref", name: "Reference"))
                try transaction.settings.insert(ShelvingLocation(code: "new books", name: "At the door"))
                try transaction.settings.update(ShelvingLocation(code: "ref", name: "Reference room"))
            }
            try store.read { (transaction) throws in
                let settings = transaction.settings
                #expect(try settings.library() == library)
                #expect(try settings.branches() == branches)
                #expect(try settings.branch("a") == branches[1])
                #expect(try settings.branch("nowhere") == nil)
                #expect(try settings.categories() == [Category(code: "child", name: "Child")])
                let snapshot = try settings.snapshot()
                #expect(snapshot.itemTypes(from: "dvd") == ["dvd", "media"])
                #expect(snapshot.itemTypes(from: "unheard") == ["unheard"])
                #expect(snapshot.zone(ofBranch: "a") == zone)
                #expect(snapshot.locations.map(\.code) == ["ref", "new books"])
                #expect(snapshot.name(ofLocation: "ref") == "Reference room")
                #expect(snapshot.name(ofLocation: "unheard") == "unheard")
                #expect(try settings.snapshot() === snapshot)
            }
        }
    }

    @Test("a change that is rolled back is never seen through a shared snapshot", arguments: TestDriver.allCases)
    func rolledBackSnapshot(driver: TestDriver) throws {
        struct Stop: Error {}
        try driver.withStore { (store) throws in
            try store.write { try Fixture($0) }
            #expect(throws: Stop.self) {
                try store.write { (transaction) throws in
                    try transaction.settings.insert(Branch(code: "ghost", name: "Ghost"))
                    #expect(try transaction.settings.snapshot().branch("ghost") != nil)
                    throw Stop()
                }
            }
            #expect(try store.read { try $0.settings.snapshot().branch("ghost") } == nil)
            // The next change gets the revision that the undone one had.
            try store.write { try $0.settings.insert(Branch(code: "real", name: "Real")) }
            try store.read { (transaction) throws in
                #expect(try transaction.settings.snapshot().branch("ghost") == nil)
                #expect(try transaction.settings.snapshot().branch("real") != nil)
            }
        }
    }

    @Test(
        "copies are counted by their location, which may have no name, and the name of one goes",
        arguments: TestDriver.allCases)
    func locations(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let settings = transaction.settings
            var copy = try #require(try transaction.copies.get(fixture.copies[0]))
            copy.location = "ref"
            try transaction.copies.update(copy)
            #expect(try settings.uses(ofLocation: "ref").map { "\($0.count) \($0.what)" } == ["1 copy"])
            #expect(try settings.uses(ofLocation: "kids") == [])
            try settings.insert(ShelvingLocation(code: "ref", name: "Reference"))
            #expect(
                storeErrorCode {
                    try transaction.savepoint { try settings.insert(ShelvingLocation(code: "ref", name: "Again")) }
                } == .constraint)
            #expect(try transaction.keys.list(.locations, beginningWith: "r", limit: 5).map(\.about) == ["Reference"])
            // No copy refers to it: the desk is what keeps a name that copies have.
            #expect(try settings.remove(ShelvingLocation.self, "ref"))
            #expect(try !settings.remove(ShelvingLocation.self, "ref"))
            #expect(try settings.locations() == [] && transaction.copies.get(copy.id)?.location == "ref")
        }
    }

    @Test("what is in use cannot be removed, what is not can", arguments: TestDriver.allCases)
    func removal(driver: TestDriver) throws {
        try driver.withFixture { (transaction, _) throws in
            let settings = transaction.settings
            #expect(
                storeErrorCode { try transaction.savepoint { _ = try settings.remove(Branch.self, "main") } }
                    == .constraint)
            #expect(
                storeErrorCode { try transaction.savepoint { _ = try settings.remove(ItemType.self, "book") } }
                    == .constraint)
            #expect(
                storeErrorCode { try transaction.savepoint { _ = try settings.remove(Category.self, "patron") } }
                    == .constraint)
            #expect(try settings.remove(Branch.self, "annex"))
            #expect(try !settings.remove(Branch.self, "annex"))
            #expect(try settings.remove(ItemType.self, "reference"))
            #expect(try settings.update(Branch(code: "main", name: "Renamed")))
            #expect(try settings.branch("main")?.name == "Renamed")
            #expect(try !settings.update(Category(code: "none", name: "None")))
        }
    }

    @Test("a library may have many item types and branches", arguments: TestDriver.allCases)
    func many(driver: TestDriver) throws {
        try driver.withFixture { (transaction, _) throws in
            for number in 1...40 {
                try transaction.settings.insert(ItemType(code: "type\(number)", name: "Type", parent: "book"))
                try transaction.settings.insert(Branch(code: "branch\(number)", name: "Branch \(number)"))
            }
            let snapshot = try transaction.settings.snapshot()
            #expect(snapshot.itemTypes(from: "type40") == ["type40", "book"])
            #expect(snapshot.branch("branch17")?.name == "Branch 17")
            #expect(snapshot.branch("branch41") == nil)
        }
    }

    @Test("item types that are each other's parent do not hang the snapshot", arguments: TestDriver.allCases)
    func cyclicParents(driver: TestDriver) throws {
        try driver.withFixture { (transaction, _) throws in
            try transaction.settings.update(ItemType(code: "book", name: "Book", parent: "reference"))
            #expect(try transaction.settings.snapshot().itemTypes(from: "book") == ["book", "reference"])
        }
    }
}
