import Circulation
import Desk
import Languages
import LuaSyntax
import Scripting
import TextFormats

/// The policy in force: its name, its source line by line, the versions before it, and why it says what it says.
enum PolicyInForcePage: PageGroup {
    static let templates = [PageTemplate("policy", PackageResources.policy_mustache)]

    static let pages = [
        Page.shown("/desk/policy", .staff) { call in
            let (history, current) = try call.context.look {
                (try $0.policies.history(), try $0.policies.inForce())
            }
            var fields: [String: Any] = [
                "versions": try history.map { try version($0, isCurrent: $0.id == current?.id, call) },
                "asked": [
                    "who": PageWords.safe(call.query["patron"] ?? ""),
                    "what": PageWords.safe(call.query["item"] ?? ""),
                ],
            ]
            fields["noPolicy"] = try PolicyStart.notice(call)
            fields["shipped"] = PolicyStart.shipped(call)
            guard let shown = try wanted(call, history) ?? current,
                let bundle = try call.context.look({ try $0.policies.bundle(shown.policy) })
            else { return PageView(template: "policy", title: say("Policy"), fields: fields) }
            var marks = LineMarks()
            if shown.policy == current?.policy, let patron = call.query.text("patron"),
                let item = call.query.text("item")
            {
                let explained = try ExplanationFields(patron: patron, item: item, call)
                fields["explained"] = explained.fields
                marks = explained.marks
            }
            fields["policy"] = try version(shown, isCurrent: shown.policy == current?.policy, call)
            fields["files"] = files(of: bundle, marks)
            fields["promises"] = try call.context.look({ try $0.policies.promises(of: shown.policy) })
                .map { promises($0, call) }
            return PageView(template: "policy", title: say("Policy"), fields: fields)
        }
    ]

    /// The version that the address names.
    ///
    /// - Throws: ``Problem`` where the library never had it.
    private static func wanted(_ call: PageCall, _ history: [PolicyActivation]) throws -> PolicyActivation? {
        guard let version = call.query.text("version") else { return nil }
        guard let found = history.first(where: { $0.policy == version }) else { throw Problem.notFound }
        return found
    }

    private static func version(_ version: PolicyActivation, isCurrent: Bool, _ call: PageCall) throws -> [String: Any]
    {
        var fields: [String: Any] = [
            "sha": version.policy, "activation": version.id, "short": String(version.policy.prefix(12)),
            "policyName": PageWords.safe(version.name),
            "isCurrent": isCurrent, "who": try who(version.actor, call),
            "isToCome": version.effectiveFrom > call.now && version.withdrawnAt == nil,
            "isTakenBack": version.withdrawnAt != nil,
        ]
        fields["since"] = call.words.moment(.string(version.effectiveFrom.description))
        if !version.note.isEmpty { fields["note"] = PageWords.safe(version.note) }
        return fields
    }

    /// Who put it into force.
    private static func who(_ actor: String, _ call: PageCall) throws -> String {
        PageWords.safe(try call.context.look { try $0.events.person(ofActor: actor) })
    }

    /// What was proved of the promises of the version when it came into force.
    private static func promises(_ kept: KeptPromises, _ call: PageCall) -> [String: Any] {
        let counts = ["proved", "unknown", "refuted"].compactMap { status -> String? in
            let count = kept.count(status)
            return count > 0 || status == "proved" ? "\(count) \(status)" : nil
        }
        var fields: [String: Any] = [
            "counts": counts.joined(separator: ", "),
            "list": kept.promises.map { promise -> [String: Any] in
                var fields: [String: Any] = [
                    "promise": PageWords.safe(promise.name), "kind": promise.kind, "point": promise.point.rawValue,
                    "status": promise.status, "isProved": promise.status == "proved",
                ]
                fields["reason"] = promise.reason.map { PageWords.safe($0) }
                return fields
            },
        ]
        fields["at"] = call.words.moment(.string(kept.provedAt.description))
        return fields
    }

    // MARK: - Source

    private static func files(of bundle: PolicyBundle, _ marks: LineMarks) -> [[String: Any]] {
        bundle.files.map { file in
            let text = SourceText(file.source)
            let last = text.line(text.lineCount)?.isEmpty == true ? text.lineCount - 1 : text.lineCount
            return [
                "fileName": PageWords.safe(file.name),
                "lines": (1...max(1, last)).map { number -> [String: Any] in
                    var fields: [String: Any] = [
                        "number": number, "anchor": LineMarks.anchor(file.name, number),
                        "code": PageWords.safe(text.line(number)?.replacing("\t", with: "    ") ?? ""),
                    ]
                    fields["mark"] = marks.marks[file.name]?[number]?.rawValue
                    fields["says"] = (marks.says[file.name]?[number] ?? []).map { ["words": $0] }
                    return fields
                },
            ]
        }
    }
}

/// What of a policy's source decided, line by line.
struct LineMarks {
    enum Mark: String { case passed, won, ran }

    /// By file and line.
    var marks: [String: [Int: Mark]] = [:]
    /// What the lines that ran saw.
    var says: [String: [Int: [String]]] = [:]

    /// The name of a line within the page.
    static func anchor(_ file: String, _ line: Int) -> String {
        let name = file.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return "\(String(name))-line-\(line)"
    }
}
