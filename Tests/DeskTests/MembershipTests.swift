import Circulation
import Desk
import DeskSupport
import Storage
import TestSupport
import Testing
import TextFormats

/// It is 2 March 2026.
@Suite("The end of a membership by the policy", .everyStore)
struct MembershipTests {
    private static let place = SourcePlace(file: "policy.lua", line: 5)

    /// A year; children until they are sixteen; staff without end; of branch north nothing.
    private static func policy(_ change: (inout PolicySpec) -> Void = { _ in }) -> PolicySpec {
        var spec = Library.standard
        spec.tables.membership = [
            MembershipRow(conditions: RowConditions(categories: ["child"]), untilAge: 16, place: place),
            MembershipRow(conditions: RowConditions(categories: ["staff"]), isUnlimited: true, place: place),
            MembershipRow(conditions: RowConditions(homeBranches: ["main"]), lasts: .months(12), place: place),
        ]
        change(&spec)
        return spec
    }

    private func library(_ spec: PolicySpec = policy()) throws -> Library {
        let library = try Library(policy: spec)
        try library.desk.write { session in
            _ = try session.settings.addCategory(Category(code: "child", name: "Child")).get()
        }
        return library
    }

    private func add(
        _ name: String, _ library: Library, by source: MembershipSource = .policy,
        _ change: (inout Patron) throws -> Void = { _ in }
    ) throws -> Patron {
        var patron = Library.patron(name)
        try change(&patron)
        return try library.desk.write { try $0.patrons.add(patron, endsBy: source).get() }
    }

    private func renew(_ name: String, _ library: Library) throws -> Outcome<Patron> {
        try library.desk.write { try $0.patrons.renewMembership(.username(name)) }
    }

    private func decisions(_ library: Library) throws -> [DecisionRecord] {
        try library.desk.read { try $0.transaction.decisions.page(after: 0, limit: 50) }
    }

    @Test("who is registered without an end gets the policy's, and the log says by which row")
    func adding() throws {
        let library = try library()
        #expect(try add("eve", library).expiresOn?.description == "2027-03-02")
        let kid = try add("kid", library) {
            $0.category = "child"
            $0.birthDate = try CivilDate(parsing: "2015-05-20")
        }
        #expect(kid.expiresOn?.description == "2031-05-19")
        #expect(try add("sam", library) { $0.category = "staff" }.expiresOn == nil)
        #expect(try add("nor", library) { $0.homeBranch = "north" }.expiresOn == nil)
        let logged = try decisions(library)
        #expect(logged.map(\.point) == Array(repeating: "expiry", count: 4))
        let said = try logged.map { try JSONParser.parse($0.decisionJSON) }
        #expect(said.map { $0["expires_on"] } == ["2027-03-02", "2031-05-19", "unlimited", nil])
        #expect(said.map { $0["where"]?["row"]?["row"] } == [3, 1, 2, nil])
        #expect(try library.desk.read { try $0.events.decisions(of: logged[1].event) }.map(\.point) == [.expiry])
        #expect(logged[1].caseJSON.contains("\"birth_date\":\"2015-05-20\""))
        try library.expectSound()
    }

    @Test("a day that is given stays, and so does none where that is said")
    func given() throws {
        let library = try library()
        let day = try CivilDate(parsing: "2026-06-01")
        #expect(try add("eve", library) { $0.expiresOn = day }.expiresOn == day)
        #expect(try add("dan", library, by: .record).expiresOn == nil)
        #expect(try decisions(library).isEmpty)
    }

    @Test("another category or birth date leaves an end that was set")
    func changes() throws {
        let library = try library()
        let eve = try add("eve", library)
        let changed = try library.desk.write { session in
            try session.patrons.update(.id(eve.id)) {
                $0.category = "staff"
                $0.birthDate = try CivilDate(parsing: "2015-05-20")
            }.get()
        }
        #expect(changed.expiresOn == eve.expiresOn)
        #expect(try decisions(library).count == 1)
    }

    @Test("without a policy, or with one that says nothing of it, a membership has no end and nothing is asked")
    func silent() throws {
        for spec in [nil, Library.standard] {
            let library = try Library(policy: spec)
            #expect(try add("eve", library).expiresOn == nil)
            #expect(try decisions(library).isEmpty)
            #expect(try renew("eve", library).refusal?.code == "no_membership_end")
            #expect(try library.desk.read { try $0.patrons.membershipRenewal(of: .username("eve")) }.value == nil)
        }
    }

    @Test("a renewal goes on from the end, from today where that has passed, and is told like any change")
    func renewing() throws {
        let library = try library()
        _ = try add("eve", library)
        try library.pass(days: 300)
        let shown = try library.desk.read { try $0.patrons.membershipRenewal(of: .username("eve")) }
        #expect(try shown.get().date?.description == "2028-03-02")
        #expect(try renew("eve", library).get().expiresOn?.description == "2028-03-02")
        #expect(try library.desk.read { try $0.patrons.get(.username("eve")) }?.expiresOn?.description == "2028-03-02")
        try library.pass(days: 800)
        #expect(try renew("eve", library).get().expiresOn?.description == "2030-03-06")
        let updated = try library.events(.patronUpdated)
        #expect(try updated.last?.body()[.patronUpdated]?.patron.expiresOn?.description == "2030-03-06")
        let logged = try decisions(library)
        #expect(logged.map(\.point) == ["expiry", "expiry", "expiry"])
        #expect(logged.last?.event == updated.last?.sequence)
        try library.expectSound()
    }

    @Test("a renewal that would not end later is refused, and one without an end gets the policy's")
    func refused() throws {
        let library = try library()
        let kid = try add("kid", library) {
            $0.category = "child"
            $0.birthDate = try CivilDate(parsing: "2015-05-20")
        }
        let refusal = try #require(try renew("kid", library).refusal)
        #expect(refusal.code == "not_extended" && refusal.json["details"]?["until"] == "2031-05-19")
        _ = try add("sam", library) { $0.category = "staff" }
        #expect(try renew("sam", library).refusal?.code == "not_extended")
        _ = try add("nor", library) { $0.homeBranch = "north" }
        #expect(try renew("nor", library).refusal?.code == "no_membership_end")
        #expect(try renew("nobody", library).refusal?.code == "unknown_patron")
        #expect(try renew("ada", library).get().expiresOn?.description == "2027-03-02", "who had none")
        #expect(try library.refusals().map(\.request).filter { $0 == "patrons.renew_membership" }.count == 4)
        _ = try library.desk.write { try $0.patrons.update(.id(kid.id)) { $0.category = "staff" }.get() }
        #expect(try renew("kid", library).get().expiresOn == nil, "longer than any day")
        try library.expectSound()
    }

    @Test("patrons renew nothing by themselves, blocks and debts are no obstacle to staff")
    func whoMay() throws {
        let library = try library()
        let eve = try add("eve", library)
        let own = library.desk.acting(as: Actor(name: "patron:\(eve.id)", role: .patron, channel: .web))
        #expect(try own.write { try $0.patrons.renewMembership(.id(eve.id)) }.refusal?.code == "not_allowed")
        try library.desk.write { session in
            _ = try session.patrons.block(.id(eve.id), kind: "manual").get()
            _ = try session.fees.charge(
                .id(eve.id), amount: Money(minorUnits: 900, currency: .eur), label: "x"
            ).get()
        }
        #expect(try renew("eve", library).get().expiresOn?.description == "2028-03-02")
    }

    @Test("where the policy fails nobody is registered without a day, and the failure is written down")
    func failing() throws {
        let library = try library(Self.policy { $0.failing = [.expiry] })
        let refusal = try #require(try library.desk.write { try $0.patrons.add(Library.patron("eve")) }.refusal)
        #expect(refusal.code == "policy_failed")
        #expect(try library.desk.read { try $0.patrons.get(.username("eve")) } == nil)
        #expect(try renew("ada", library).refusal?.code == "policy_failed")
        let failures = try library.events(.policyFailed).compactMap { try $0.body()[.policyFailed] }
        #expect(failures.map(\.point) == [.expiry, .expiry] && failures.map(\.patron) == [nil, 1])
        let day = try CivilDate(parsing: "2026-06-01")
        #expect(try add("eve", library) { $0.expiresOn = day }.expiresOn == day)
        try library.expectSound()
    }

    @Test("what is wrong with a new patron is said before the policy is asked")
    func checkedFirst() throws {
        let library = try library(Self.policy { $0.failing = [.expiry] })
        #expect(try library.desk.write { try $0.patrons.add(Library.patron("ada")) }.refusal?.code == "exists")
    }

    @Test("an import keeps what its file says, also no end")
    func imports() throws {
        let library = try library()
        try library.desk.write { session in
            let imported = try session.imports.patron(Library.patron("eve"))
            guard case .added(let patron) = imported else { throw WasRefused(refusal: Refusal(code: "x", message: "")) }
            #expect(patron.expiresOn == nil)
        }
        #expect(try decisions(library).isEmpty)
    }

    @Test("of a removed patron the log keeps no birth date")
    func removal() throws {
        let library = try library()
        let kid = try add("kid", library) {
            $0.category = "child"
            $0.birthDate = try CivilDate(parsing: "2015-05-20")
        }
        #expect(try decisions(library).contains { $0.caseJSON.contains("2015-05-20") })
        _ = try library.desk.write { try $0.patrons.remove(.id(kid.id)).get() }
        #expect(try !decisions(library).contains { $0.caseJSON.contains("2015-05-20") })
        try library.expectSound()
    }

    @Test("a replay passes over what was said of memberships")
    func replay() throws {
        let library = try library()
        _ = try add("eve", library)
        _ = try renew("eve", library).get()
        _ = try library.lend("eve", 1).get()
        let (witness, _) = try library.replay(Self.policy())
        #expect(witness.contradictions == [])
        let answers = try decisions(library).map(\.point)
        #expect(answers == ["expiry", "expiry", "checkout"])
        try library.expectSound()
    }
}
