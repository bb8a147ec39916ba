import Circulation
import Desk
import Storage
import Testing

@Suite("Branches, categories and item types below others", .everyStore)
struct HierarchyTests {
    /// institution > campus > library > stacks, student > undergraduate > fresher, print > book > atlas
    private func library(_ tables: PolicyTables = Library.tables()) throws -> Library {
        let library = try Library(policy: PolicySpec(tables: tables))
        try library.desk.write { session throws in
            let settings = session.settings
            for (code, parent) in [("institution", nil), ("campus", "institution"), ("law", "campus")] {
                _ = try settings.addBranch(Branch(code: code, name: code, parent: parent)).get()
            }
            _ = try settings.updateBranch("main") { $0.parent = "law" }.get()
            for (code, parent) in [("student", nil), ("undergraduate", "student"), ("fresher", "undergraduate")] {
                _ = try settings.addCategory(Category(code: code, name: code, parent: parent)).get()
            }
            _ = try settings.addItemType(ItemType(code: "print", name: "Print")).get()
            _ = try settings.updateItemType("book") { $0.parent = "print" }.get()
            _ = try session.patrons.update(.username("ada")) { $0.category = "fresher" }.get()
        }
        return library
    }

    private static let place = SourcePlace(file: "policy.lua", line: 3)

    @Test("a rule for an ancestor is met, however deep")
    func rules() throws {
        var tables = Library.tables()
        for (conditions, days) in [
            (RowConditions(categories: ["student"], branches: ["institution"]), 3),
            (RowConditions(copyBranches: ["campus"], homeBranches: ["law"]), 5),
        ] as [(RowConditions, Int64)] {
            tables.rules.insert(
                RuleRow(conditions: conditions, fields: ["loan": .period(.days(days))], place: Self.place),
                at: tables.rules.count - 1)
        }
        let library = try library(tables)
        let due = { (patron: String) in
            try library.lend(patron, 3).get()[0].due.map(\.date.description)
        }
        #expect(try due("ada") == "2026-03-05")
        #expect(try due("bob") == "2026-03-07", "no student, but of the campus")
        _ = try library.desk.write { try $0.settings.updateBranch("campus") { $0.parent = nil } }.get()
        #expect(try due("cyd") == "2026-03-07")
        _ = try library.desk.write { try $0.settings.updateBranch("main") { $0.parent = nil } }.get()
        #expect(try library.lend("bob", 2).get()[0].due?.date.description == "2026-03-16")
        try library.expectSound()
    }

    @Test("a limit on an ancestor counts what was lent below it")
    func limits() throws {
        var tables = Library.tables()
        tables.limits = [
            LimitRow(conditions: RowConditions(branches: ["campus"]), maximum: 2, place: Self.place),
            LimitRow(conditions: RowConditions(itemTypes: ["print"]), maximum: 3, place: Self.place),
        ]
        let library = try library(tables)
        _ = try library.lend("ada", 1, 3).get()
        #expect(try library.lend("ada", 2).refusal?.code == "limit")
        let north = Actor(name: "desk", role: .staff, channel: .desk, branch: "north")
        let lend = { (title: Int64) in
            try library.desk.acting(as: north).write { session in
                try session.loans.checkout(CheckoutRequest(patron: .username("ada"), wanted: .titles([.id(title)])))
            }
        }
        _ = try lend(2).get()
        #expect(try lend(3).refusal?.code == "limit", "three printed things")
        try library.expectSound()
    }

    @Test("the case has each code with its ancestors")
    func facts() throws {
        let library = try library()
        let decision = try library.desk.read { session in
            try session.loans.mayCheckout(CheckoutRequest(patron: .username("ada"), wanted: .titles([.id(1)])))
        }
        let question = try #require(try decision.get().first).question
        #expect(question.branches == ["main", "law", "campus", "institution"])
        #expect(question.patron.categories == ["fresher", "undergraduate", "student"])
        #expect(question.patron.homeBranches == question.branches && question.copy?.branches == question.branches)
        #expect(question.copy?.itemTypes == ["book", "print"])
        #expect(try Case(json: question.json) == question)
    }

    @Test("nothing is its own ancestor, and no parent is unknown")
    func cycles() throws {
        let library = try library()
        try library.desk.write { session throws in
            let settings = session.settings
            #expect(try settings.updateBranch("institution") { $0.parent = "main" }.refusal?.code == "cycle")
            #expect(try settings.updateBranch("law") { $0.parent = "law" }.refusal?.code == "cycle")
            #expect(try settings.updateBranch("law") { $0.parent = "moon" }.refusal?.code == "unknown_branch")
            #expect(try settings.updateCategory("student") { $0.parent = "fresher" }.refusal?.code == "cycle")
            #expect(
                try settings.addCategory(Category(code: "x", name: "X", parent: "y")).refusal?.code
                    == "unknown_category")
            #expect(try settings.addBranch(Branch(code: "x", name: "X", parent: "x")).refusal?.code == "cycle")
        }
        try library.expectSound()
    }

    @Test("what is used, has children or is the only one stays, and the refusal says why")
    func removal() throws {
        let library = try library()
        try library.desk.write { session throws in
            let settings = session.settings
            #expect(
                try settings.removeBranch("law").refusal?.message
                    == "The branch \"law\" cannot be removed: \"main\" belongs to it.")
            #expect(
                try settings.removeCategory("student").refusal?.message
                    == "The category \"student\" cannot be removed: \"undergraduate\" belongs to it.")
            #expect(
                try settings.removeCategory("fresher").refusal?.message
                    == "The category \"fresher\" cannot be removed: 1 patron has it.")
            _ = try settings.updateBranch("main") { $0.parent = nil }.get()
            #expect(
                try settings.removeBranch("main").refusal?.message
                    == "The branch \"main\" cannot be removed: 6 copies, 3 patrons have it.")
            #expect(try settings.removeItemType("print").refusal?.code == "in_use")
            _ = try settings.removeItemType("dvd").get()
            _ = try settings.updateItemType("book") { $0.parent = nil }.get()
            _ = try settings.removeItemType("print").get()
            #expect(
                try settings.removeItemType("book").refusal?.message
                    == "The item type \"book\" cannot be removed: it is the only one.")
            _ = try settings.removeBranch("law").get()
            #expect(try settings.branch("campus")?.parent == "institution")
        }
        try library.expectSound()
    }

    @Test("counts roll up to every ancestor")
    func rollUp() throws {
        let library = try library()
        _ = try library.lend("ada", 1, 2).get()
        _ = try library.lend("bob", 3).get()
        let counts = { (group: LoanGroup) in
            try library.desk.read { try $0.statistics.loans(by: group, rollsUp: true) }
                .map { "\($0.key) \($0.count)" }
        }
        #expect(try counts(.branch) == ["campus 3", "institution 3", "law 3", "main 3"])
        #expect(try counts(.category) == ["fresher 2", "student 2", "undergraduate 2", "patron 1"])
        #expect(try counts(.itemType) == ["book 3", "print 3"])
        #expect(throws: DeskError.self) { try counts(.month) }
        #expect(try library.desk.read { try $0.statistics.loans(by: .branch) }.map(\.key) == ["main"])
    }
}
