import Circulation
import Desk
import Testing

@Suite("Policies to come", .everyStore)
struct PolicyScheduleTests {
    private func schedule(_ library: Library, _ name: String, days: Int64) throws -> PolicyActivation {
        let bundle = library.loader.bundle(PolicySpec(name: name, tables: Library.tables()), name)
        let from = try library.clock.now().adding(hours: days * 24)
        return try library.desk.write { try $0.policies.activate(bundle, from: from, note: "term").get() }
    }

    private func names(_ library: Library, days: Int64...) throws -> [String?] {
        try days.map { day in
            let moment = try library.clock.now().adding(hours: day * 24)
            return try library.desk.read { try $0.policies.inForce(at: moment) }?.name
        }
    }

    @Test("what is in force at an instant follows the days from which versions hold, whatever was decided first")
    func atAnInstant() throws {
        let library = try Library(policy: PolicySpec(name: "first", tables: Library.tables()))
        _ = try schedule(library, "summer", days: 10)
        _ = try schedule(library, "spring", days: 5)
        try library.pass(days: 1)
        try library.use(PolicySpec(name: "now", tables: Library.tables()), "now")
        #expect(
            try names(library, days: -1, 0, 3, 4, 8, 9, 400) == [
                "first", "now", "now", "spring", "spring", "summer", "summer",
            ])
        #expect(try library.desk.read { try $0.policies.upcoming() }.map(\.name) == ["spring", "summer"])
        #expect(
            try library.desk.read { try $0.policies.history() }.map(\.name) == ["now", "spring", "summer", "first"])
        try library.expectSound()
    }

    @Test("a future policy can be cancelled until it begins, and the history shows it")
    func withdrawn() throws {
        let library = try Library(policy: PolicySpec(name: "first", tables: Library.tables()))
        let summer = try schedule(library, "summer", days: 10)
        let back = try library.desk.write { try $0.policies.withdraw(summer.id).get() }
        #expect(back.withdrawnAt == library.clock.now())
        #expect(try library.desk.write { try $0.policies.withdraw(summer.id) }.refusal?.code == "not_scheduled")
        #expect(try names(library, days: 0, 10, 20) == ["first", "first", "first"])
        #expect(try library.desk.read { try $0.policies.upcoming() }.isEmpty)
        #expect(try library.desk.read { try $0.policies.history() }.map { $0.withdrawnAt != nil } == [true, false])
        #expect(try library.events(.policyWithdrawn).count == 1)
        try library.pass(days: 20)
        #expect(try library.desk.write { try $0.policies.rollback() }.refusal?.code == "no_policy")
        let begun = try schedule(library, "autumn", days: 0)
        #expect(try library.desk.write { try $0.policies.withdraw(begun.id) }.refusal?.code == "not_scheduled")
        try library.expectSound()
    }

    @Test("a rollback leaves what is to come")
    func rollback() throws {
        let library = try Library(policy: PolicySpec(name: "first", tables: Library.tables()))
        try library.use(PolicySpec(name: "second", tables: Library.tables()), "second")
        _ = try schedule(library, "summer", days: 10)
        #expect(try library.desk.write { try $0.policies.rollback().get() }.name == "first")
        #expect(try names(library, days: 0, 10) == ["first", "summer"])
    }
}
