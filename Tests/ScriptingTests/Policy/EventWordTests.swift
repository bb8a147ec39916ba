import Circulation
import Scripting
import Testing

@Suite("Events that a policy names")
struct EventWordTests {
    @Test(
        "a policy names an event as a text, a field or a key, where it has a function at notify",
        arguments: [
            (#"notify = function(case) if case.event == "returned" then return nil end end"#, true),
            (
                #"notify = function(case) local w = { returned = "Back", fee = "Fee" } return w[case.event] and nil end"#,
                true
            ),
            ("notify = function(case) return nil end", false),
            (#"notify = function(case) if case.event == "returned_at" then return nil end end"#, false),
            (#"checkout = function(case) if case.branch == "returned" then return nil end end"#, false),
        ])
    func names(body: String, isNamed: Bool) throws {
        let policy = try PolicySupport.policy(body: "rules = { { loan = days(14) } },\n\(body)")
        #expect(policy.names(.returned) == isNamed)
    }
}
