import Circulation
import Desk
import Storage
import Testing

@Suite("A policy beside the one in force", .everyStore)
struct ShadowTests {
    private func begin(_ policy: PolicySpec, at library: Library, _ name: String = "shadow") throws -> ShadowPolicy {
        let bundle = library.loader.bundle(policy, name)
        return try library.desk.write { try $0.shadow.begin(bundle, note: "to see").get() }
    }

    private func known(_ library: Library) throws -> (progress: ShadowProgress, differences: [ShadowDifference]) {
        try library.desk.read { session in
            let shadow = try #require(try session.shadow.current())
            return (try session.shadow.progress(of: shadow), try session.shadow.differences(of: shadow))
        }
    }

    @Test("it is asked what was asked since then, and what it decides otherwise is known, with both answers")
    func differences() throws {
        let library = try Library()
        _ = try library.lend("bob", 2).get()
        let shadow = try begin(PolicySpec(tables: Library.tables(limit: 1)), at: library)
        #expect(shadow.note == "to see" && shadow.name == "test")
        _ = try library.lend("ada", 1).get()
        _ = try library.lend("ada", 3).get()
        #expect(try library.desk.followShadow() == 2)
        let (progress, differences) = try known(library)
        #expect(progress.decided == 2 && progress.different == 1 && progress.failed == 0)
        let found = try #require(differences.first)
        #expect(differences.count == 1 && found.point == .checkout && found.category == "patron")
        #expect(found.itemType == "book" && found.branch == "main")
        #expect(found.before.answer == "allow" && found.before.due != nil && found.after.code == "limit")
        #expect(found.failure == nil)
        #expect(try library.events(.loanMade).count == 3 && library.refusals().isEmpty)
        #expect(try library.desk.followShadow() == 0)
        try library.expectSound()
    }

    @Test("one that decides alike has no differences, due dates by the branch's calendar among what is compared")
    func alike() throws {
        let library = try Library()
        _ = try begin(Library.standard, at: library)
        _ = try library.lend("ada", 1, 2).get()
        #expect(try library.lend("bob", 2).refusal?.code == "no_copies")
        try library.pass(days: 20)
        _ = try library.desk.write { try $0.loans.checkin(.id(1)).get() }
        _ = try library.desk.followShadow()
        let progress = try known(library).progress
        #expect(progress.decided > 2 && progress.different == 0)
    }

    @Test("that it fails is a difference of its own, and harms no loan")
    func failing() throws {
        let library = try Library()
        _ = try begin(PolicySpec(tables: Library.tables(), failing: [.checkout]), at: library)
        _ = try library.lend("ada", 1).get()
        _ = try library.desk.followShadow()
        let (progress, differences) = try known(library)
        #expect(progress.different == 1 && progress.failed == 1)
        #expect(differences.first?.failure?.line == 7 && differences.first?.before.answer == "allow")
        #expect(try library.events(.policyFailed).isEmpty)
    }

    @Test("what is taken out of the log of decisions is gone here too; of a removed patron nothing personal is left")
    func removal() throws {
        let library = try Library()
        _ = try begin(PolicySpec(tables: Library.tables(limit: 0)), at: library)
        _ = try library.lend("ada", 1).get()
        try library.pass(days: 1)
        _ = try library.lend("bob", 2).get()
        _ = try library.desk.followShadow()
        #expect(try known(library).differences.count == 2)
        let kept = try library.store.read { try $0.settings.value("policy.shadow.progress") }
        #expect(kept?.contains("ada") == false && kept?.contains("Dune") == false)
        let moment = try Instant(parsing: "2026-03-03T00:00:00Z")
        _ = try library.desk.pruneDecisions(before: moment).get()
        #expect(try known(library).differences.count == 1)
    }

    @Test("another one begins anew, and without one nothing is looked at; one that is no policy is refused")
    func ends() throws {
        let library = try Library()
        _ = try begin(PolicySpec(tables: Library.tables(limit: 0)), at: library)
        _ = try library.lend("ada", 1).get()
        _ = try library.desk.followShadow()
        #expect(try known(library).progress.different == 1)
        _ = try begin(Library.standard, at: library, "other")
        #expect(try known(library).progress.decided == 0)
        #expect(try library.desk.write { try $0.shadow.end() }.get().name == "test")
        #expect(try library.desk.followShadow() == 0)
        #expect(try library.desk.write { try $0.shadow.end() }.refusal?.code == "no_policy")
        let files = [PolicyBundle.File(name: "policy.lua", source: "none")]
        let bundle = PolicyBundle(sha256: library.loader.digest(of: files), files: files)
        #expect(try library.desk.write { try $0.shadow.begin(bundle) }.refusal?.code == "policy_failed")
    }
}
