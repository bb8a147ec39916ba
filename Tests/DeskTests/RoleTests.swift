import Circulation
import Desk
import Foundation
import Testing

@Suite("Roles", .everyStore)
struct RoleTests {
    private func acting(
        _ library: Library, _ role: ActorFacts.Role, _ channel: ActorFacts.Channel = .web, as patron: String = "ada"
    ) throws -> Desk {
        library.desk.acting(
            as: Actor(name: "patron:\(try library.id(patron))", role: role, channel: channel, branch: "main"))
    }

    /// The package's own folder.
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test("docs/roles.md says what the table says")
    func documentation() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/roles.md"), encoding: .utf8)
        #expect(page == RoleTable.page())
    }

    @Test("every request of the desk stands in the table, and each line of it has one")
    func complete() throws {
        let folder = Self.root.appendingPathComponent("Sources/Desk")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        let pattern = /(?:RequestTrail|session\.request)\(\s*"(?<name>[a-z_.]+)"|change\(id, "(?<change>[a-z_.]+)"/
        var found: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: pattern) {
                if let name = match.name ?? match.change { found.insert(String(name)) }
            }
        }
        let named = RoleTable.rows.flatMap(\.requests)
        #expect(Set(named).count == named.count, "each request stands in one line")
        #expect(found.subtracting(named).isEmpty)
        #expect(found.count > 30)
        #expect(RoleTable.rows.allSatisfy { !$0.requests.isEmpty })
    }

    @Test("patrons borrow, renew and hold for themselves only")
    func patrons() throws {
        let library = try Library(policy: PolicySpec(tables: Library.holdTables))
        let ada = try acting(library, .patron)
        let borrow = { (patron: String) in
            try ada.write { session in
                try session.loans.checkout(CheckoutRequest(patron: .username(patron), wanted: .titles([.id(1)])))
            }
        }
        let loan = try borrow("ada").get()[0]
        #expect(try borrow("bob").refusal?.code == "not_owner")
        #expect(try library.desk.read { try $0.loans.active(of: .username("bob")) }.isEmpty, "it was undone")
        let bobs = try library.lend("bob", 3).get()[0]
        try library.pass(days: 2)
        #expect(try ada.write { try $0.loans.renew(.id(bobs.id)) }.refusal?.code == "not_owner")
        _ = try ada.write { try $0.loans.renew(.id(loan.id)) }.get()
        let notice = try library.desk.write { session in
            try session.notices.send(to: .username("bob"), channel: "inbox", subject: "", body: "", key: "k")
        }.get()
        #expect(try ada.write { try $0.notices.markRead(notice.id) }.refusal?.code == "not_owner")
        #expect(try library.refusals().map(\.refusal.code) == ["not_owner", "not_owner", "not_owner"])
        try library.expectSound()
    }

    @Test("what a role does not allow is refused and written down, and nothing of it is done")
    func refused() throws {
        let library = try Library()
        let last = try library.desk.read { try $0.events.last() }
        let loan = try library.lend("ada", 1).get()[0]
        for desk in [try acting(library, .patron), try acting(library, .patron, .`self`)] {
            let refusals = try desk.write { session in
                [
                    try session.fees.waive(.username("ada"), amount: Money(minorUnits: 1, currency: .eur), label: "")
                        .refusal,
                    try session.patrons.update(.username("ada")) { $0.category = "staff" }.refusal,
                    try session.catalogue.remove(.id(2)).refusal,
                    try session.settings.setLibrary(name: "Mine").refusal,
                ]
            }
            #expect(refusals.map { $0?.code } == Array(repeating: "not_allowed", count: 4))
        }
        let copy = LoanKey.id(loan.id)
        #expect(try acting(library, .patron).write { try $0.loans.checkin(copy) }.refusal?.code == "not_allowed")
        _ = try acting(library, .patron, .`self`).write { try $0.loans.checkin(copy) }.get()
        let staff = try acting(library, .staff, .desk)
        #expect(try staff.write { try $0.settings.removeBranch("north") }.refusal?.code == "not_allowed")
        #expect(try library.desk.read { try $0.settings.branch("north") } != nil)
        _ = try acting(library, .admin, .desk).write { try $0.settings.removeBranch("north") }.get()
        #expect(try library.desk.read { try $0.events.last() } == last + 2 + 10 + 1)
        try library.expectSound()
    }

    @Test("only an admin gives the role of staff")
    func givingRoles() throws {
        let library = try Library()
        let promote = { (role: ActorFacts.Role) in
            try acting(library, role, .desk).write { session in
                try session.patrons.update(.username("bob")) { $0.role = .staff }
            }
        }
        #expect(try promote(.staff).refusal?.code == "not_allowed")
        #expect(try promote(.admin).get().role == .staff)
        let staff = try acting(library, .staff, .desk)
        var dee = Library.patron("dee")
        _ = try staff.write { try $0.patrons.add(dee) }.get()
        dee.username = "eve"
        dee.role = .admin
        #expect(try staff.write { try $0.patrons.add(dee) }.refusal?.code == "not_allowed")
        _ = try staff.write { try $0.patrons.update(.username("bob")) { $0.name = "Robert" } }.get()
        try library.expectSound()
    }

    @Test("a request that the table does not name is for staff")
    func unknown() {
        for asker in RoleTable.Asker.allCases {
            let expected: RoleTable.Reach = asker == .staff || asker == .admin ? .yes : .no
            #expect(RoleTable.reach(of: asker, with: "moon.land") == expected)
        }
        #expect(Actor.desk.reach(of: "settings.library") == .yes, "the command line is bound by capabilities")
    }
}
