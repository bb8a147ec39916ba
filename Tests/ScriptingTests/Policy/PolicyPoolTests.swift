import Circulation
import Desk
import Scripting
import Testing

@Suite("The pool of policies")
struct PolicyPoolTests {
    private func bundle(days: Int) throws -> PolicyBundle {
        try PolicySupport.parsed(
            "return policy { name = 'p\(days)', rules = { { loan = days(1) } }, due = function(case) return case.now + days(\(days)) end }"
        ).bundle
    }

    @Test("two versions that alternate each give their own answer")
    func alternating() throws {
        let loader = LuaPolicyLoader()
        let (one, other) = (try bundle(days: 3), try bundle(days: 5))
        for _ in 0..<20 {
            let first = try loader.withPolicy(one) { $0.decide(PolicySupport.question()).due?.date.description }
            let second = try loader.withPolicy(other) { $0.decide(PolicySupport.question()).due?.date.description }
            #expect(first == "2026-01-18")
            #expect(second == "2026-01-20")
        }
    }

    @Test("a body may ask for another version, and for the same one again")
    func nested() throws {
        let loader = LuaPolicyLoader()
        let (one, other) = (try bundle(days: 3), try bundle(days: 5))
        let names = try loader.withPolicy(one) { outer in
            try loader.withPolicy(other) { middle in
                try loader.withPolicy(one) { inner in
                    #expect(ObjectIdentifier(inner) != ObjectIdentifier(outer))
                    return [outer.name, middle.name, inner.name]
                }
            }
        }
        #expect(names == ["p3", "p5", "p3"])
    }

    @Test("an idle policy is used again")
    func reuse() throws {
        let loader = LuaPolicyLoader()
        let one = try bundle(days: 3)
        let first = try loader.withPolicy(one) { ObjectIdentifier($0) }
        let second = try loader.withPolicy(one) { ObjectIdentifier($0) }
        #expect(first == second)
    }

    @Test("many threads at once get correct answers")
    func concurrent() async throws {
        let loader = LuaPolicyLoader()
        let bundles = [try bundle(days: 3), try bundle(days: 5)]
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<16 {
                group.addTask {
                    let due = try loader.withPolicy(bundles[index % 2]) {
                        $0.decide(PolicySupport.question()).due?.date.description
                    }
                    return due == (index.isMultiple(of: 2) ? "2026-01-18" : "2026-01-20")
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(right == 16)
    }

    @Test("files that do not match their version are refused")
    func damaged() throws {
        var bundle = try bundle(days: 3)
        bundle.files[0].source += " "
        let failure = #expect(throws: PolicyFailure.self) { try LuaPolicyLoader().withPolicy(bundle) { $0.name } }
        #expect(failure?.code == "damaged")
    }

    @Test(
        "a field that nothing declares refuses a new policy; a version that a store keeps still loads, and means the same"
    )
    func undeclaredField() throws {
        let bundle = try PolicySupport.parsed(
            "return policy { rules = { { loan = days(3), age = 12, fine = none }, { loan = days(4) } } }"
        ).bundle
        let loader = LuaPolicyLoader()
        let failure = #expect(throws: PolicyFailure.self) { try loader.withNewPolicy(bundle) { $0.name } }
        #expect(failure?.code == "unknown_rule_field" && failure?.message.contains("'age'") == true)
        let due = try loader.withPolicy(bundle) { $0.decide(PolicySupport.question()).due?.date.description }
        #expect(due == "2026-01-18")
        // A policy that was read as a stored one lies idle now, and is not taken for a new one.
        #expect(throws: PolicyFailure.self) { try loader.withNewPolicy(bundle) { $0.name } }
        #expect(throws: PolicyProblems.self) { try LuaPolicy(ParsedPolicy(bundle)) }
    }

    @Test("a bundle that is not a policy is refused with its place")
    func broken() throws {
        let bundle = try PolicySupport.parsed("return policy { rules = 5 }").bundle
        let failure = #expect(throws: PolicyFailure.self) { try LuaPolicyLoader().withPolicy(bundle) { $0.name } }
        #expect(failure?.code == "wrong_type")
        #expect(failure?.file == "main.lua")
    }
}
