import Circulation
import Desk
import Languages
import Scripting
import TextFormats
import Workbench

/// The policy is changed in the page, for administrators: a draft is checked, tested and proved, then put into force with a note; the
/// version before comes back, and what is to come is taken back.
enum PolicyDraftPage: PageGroup {
    static let templates = [PageTemplate("policy-draft", PackageResources.policy_draft_mustache)]

    static let path = "/desk/policy/draft"

    static let pages = [
        Page.shown(path, .admin) { call in
            let draft = try present(call)
            var view = try view(draft, nil, call)
            if let name = call.query.text("from") { view.fields["shipped"] = ["policyName": PageWords.safe(name)] }
            view.fields["missing"] = try draft.missing(call)
            return view
        },
        Page.entry(path, .admin) { call in
            let draft = try sent(call)
            return .view(try view(draft, try draft.verdict(withProof: call.form.text("prove") != nil, call), call))
        },
        // Tests run outside of any transaction, and not among what the desk does: others lend meanwhile.
        Page(
            verb: .post, path: "\(path)/use", access: .admin, work: .working(use), mayTakeLong: true,
            again: checkedAgain),
        Page.form("/desk/policy/rollback", .admin) { call in
            let note = call.form.text("note") ?? ""
            let outcome = try call.context.write { try $0.policies.rollback(note: note) }
            return answer(outcome, back: "/desk/policy") { say("\(PageWords.safe($0.name)) is in force again.") }
        },
        Page.form("/desk/policy/withdraw", .admin) { call in
            guard let id = call.form.text("activation").flatMap(Int64.init) else { throw Problem.notFound }
            let outcome = try call.context.write { try $0.policies.withdraw(id) }
            return answer(outcome, back: "/desk/policy") { say("\(PageWords.safe($0.name)) will not come into force.") }
        },
    ]

    private static func use(_ call: PageCall) throws -> PageOutcome {
        let draft = try sent(call)
        guard let policy = try draft.verdict(withProof: false, call).policy else {
            throw Problem.input("The policy has errors, or a test fails. Nothing was changed.")
        }
        guard let note = call.form.text("note") else {
            throw Problem.input("'note' must give a reason, for the history.", argument: "note")
        }
        let start = try start(call)
        let outcome = try call.context.write { try $0.policies.activate(policy.bundle, from: start, note: note) }
        return answer(outcome, back: "/desk/policy") { activation in
            let name = PageWords.safe(activation.name)
            return start == nil ? say("\(name) is in force.") : say("\(name) will come into force later.")
        }
    }

    private static func answer(
        _ outcome: Outcome<PolicyActivation>, back: String, saying: (PolicyActivation) -> String
    ) -> PageOutcome {
        switch outcome {
        case .done(let activation): return .done(to: back, saying: saying(activation))
        case .refused(let refusal):
            return .refused(["code": .string(refusal.code), "message": .string(refusal.message)], back: back)
        }
    }

    /// The draft with which a page begins: one that comes with the program, a version of the library's, otherwise a small policy.
    private static func present(_ call: PageCall) throws -> PolicyDraft {
        if let name = call.query.text("from") {
            guard let shipped = call.services.shippedPolicies.policy(name) else { throw Problem.notFound }
            return PolicyDraft(shipped.bundle, tests: shipped.tests)
        }
        let bundle = try call.context.look { session in
            let version = try call.query.text("version") ?? session.policies.inForce()?.policy
            return try version.flatMap { try session.policies.bundle($0) }
        }
        if bundle == nil, call.query.text("version") != nil { throw Problem.notFound }
        let first = PolicyBundle.File(name: "policy.lua", source: Self.first)
        return PolicyDraft(bundle ?? PolicyBundle(sha256: "", files: [first]))
    }

    /// What a library without a policy begins with.
    private static let first = """
        -- How the library lends. docs/writing-policies.md explains it.
        return policy {
            api = 1, name = "first",
            limits = { { max = 10 } },
            rules = {
                { loan = weeks(3), renewals = 2, fine = money "0.20", per = days(1), fine_cap = money "10.00",
                  holds = 5, hold_shelf = days(7) },
            },
        }

        """

    private static func sent(_ call: PageCall) throws -> PolicyDraft {
        guard let draft = PolicyDraft(call.form) else { throw Problem.input("The form does not contain a policy.") }
        guard draft.files.reduce(draft.tests.utf8.count, { $0 + $1.source.utf8.count }) <= PolicyDraft.mostBytes else {
            throw Problem.input("A policy that is edited here can be at most \(PolicyDraft.mostBytes) bytes long.")
        }
        return draft
    }

    private static func start(_ call: PageCall) throws -> Instant? {
        guard let text = call.form.text("from") else { return nil }
        guard let day = try? CivilDate(parsing: text) else {
            throw Problem.input("'from' must be a date, such as 2026-12-24.", argument: "from")
        }
        return call.library.zone.instant(of: day, .midnight)
    }

    private static func checkedAgain(_ call: PageCall) throws -> PageView {
        let draft = try sent(call)
        return try view(draft, try draft.verdict(withProof: false, call), call)
    }

    private static func view(_ draft: PolicyDraft, _ verdict: PolicyDraft.Verdict?, _ call: PageCall) throws -> PageView
    {
        var fields: [String: Any] = [
            "path": path, "tests": PageWords.safe(draft.tests), "isProved": call.form.text("prove") != nil,
            "files": draft.files.enumerated().map { number, file -> [String: Any] in
                ["number": number, "file": PageWords.safe(file.name), "source": PageWords.safe(file.source)]
            },
        ]
        if let verdict {
            fields["verdict"] = [
                "counts": verdict.counts, "findings": verdict.findings, "testWords": verdict.testWords,
                "failed": verdict.tests, "proofWords": verdict.proofWords, "open": verdict.proof,
            ]
            fields["mayUse"] = verdict.policy != nil
            fields["missing"] = verdict.missing
        }
        let note = PageField(
            name: "note", label: "Why", most: 1_000, hint: "Kept in the history.", isRequired: true)
        let from = PageField(
            name: "from", label: "From", kind: .date,
            hint: "Leave empty to put it into force at once.")
        fields["useInputs"] = PageField.inputs([note, from], call, form: "use")
        return PageView(template: "policy-draft", title: say("Change the policy"), fields: fields)
    }
}
