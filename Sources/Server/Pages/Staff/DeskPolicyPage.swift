import Circulation
import Desk
import Scripting
import TextFormats

/// The policy in force: its text, its versions, and what it says to a patron and a title.
enum DeskPolicyPage {
    static let pages = [
        Page.shown("/desk/policy", .staff) { call in
            var fields: [String: Any] = [
                "patron": PageWords.safe(call.query["patron"] ?? ""), "isbn": PageWords.safe(call.query["isbn"] ?? ""),
            ]
            let (inForce, files, versions) = try call.context.look { session in
                let inForce = try session.policies.inForce()
                return (
                    inForce, try inForce.flatMap { try session.policies.bundle($0.policy) }?.files ?? [],
                    try session.policies.upcoming() + session.policies.history()
                )
            }
            if let inForce { fields["policy"] = activation(inForce, call) }
            fields["files"] = files.enumerated().map { index, file in
                let lines = file.source.split(separator: "\n", omittingEmptySubsequences: false)
                return [
                    "name": PageWords.safe(file.name),
                    "lines": lines.enumerated().map { number, line in
                        [
                            "anchor": anchor(index, number + 1), "number": number + 1,
                            "text": PageWords.safe(String(line)),
                        ]
                    },
                ] as [String: Any]
            }
            var seen: Set<Int64> = []
            fields["versions"] = versions.filter { seen.insert($0.id).inserted }.map { activation($0, call) }
            if call.query.text("patron") != nil, call.query.text("isbn") != nil {
                fields["answer"] = try answer(call, files.map(\.name))
            }
            return PageView(template: "desk-policy", title: "The policy in force", fields: fields)
        }
    ]

    private static func anchor(_ file: Int, _ line: Int) -> String { "f\(file + 1)-l\(line)" }

    private static func activation(_ activation: PolicyActivation, _ call: PageCall) -> [String: Any] {
        var fields: [String: Any] = [
            "name": PageWords.safe(activation.name), "version": String(activation.policy.prefix(12)),
            "actor": PageWords.safe(activation.actor), "isToCome": activation.effectiveFrom > call.now,
            "isWithdrawn": activation.withdrawnAt != nil,
        ]
        fields["from"] = call.words.moment(.string(activation.effectiveFrom.description))
        fields["note"] = activation.note.isEmpty ? nil : PageWords.safe(activation.note)
        return fields
    }

    /// What the policy says, and which row said so.
    private static func answer(_ call: PageCall, _ files: [String]) throws -> [String: Any] {
        let patron = call.query.text("patron") ?? ""
        let members: JSONObject = [
            "patron": Int64(patron).map(JSON.integer) ?? .string(patron),
            "isbn": .string(call.query.text("isbn") ?? ""),
        ]
        do {
            switch try call.ask(.post, "/loans/check", members) {
            case .value(let decision): return allowed(decision, call, files)
            case .refused(let refusal): return refused(refusal, files)
            case .nothing, .notFound: throw Problem.notFound
            }
        } catch let problem as Problem where problem.status == 400 {
            return ["sentence": PageWords.safe(problem.detail)]
        }
    }

    private static func allowed(_ decision: JSON, _ call: PageCall, _ files: [String]) -> [String: Any] {
        let due = call.words.moment(decision["due_at"])?["words"] as? String
        let rows = (decision["fields"]?.objectValue?.entries ?? []).map { entry -> [String: Any] in
            var row: [String: Any] = [
                "name": entry.key.replacing("_", with: " "), "value": value(entry.value["value"]),
            ]
            row["place"] = place(entry.value, files)
            row["skipped"] = (entry.value["skipped"]?.arrayValue ?? []).map { skipped in
                [
                    "row": skipped["row"]?.integerValue.map { "row \($0)" } ?? self.row(skipped["row"]),
                    "because": PageWords.safe(skipped["because"]) ?? "",
                ]
            }
            return row
        }
        return ["sentence": "It may be lent\(due.map { " until \($0)" } ?? "").", "isAllowed": true, "rows": rows]
    }

    private static func refused(_ refusal: JSONObject, _ files: [String]) -> [String: Any] {
        let reasons = (refusal["details"]?["reasons"]?.arrayValue ?? []).map { reason -> [String: Any] in
            var fields: [String: Any] = [
                "message": PageWords.safe(reason["message"]) ?? "", "code": PageWords.safe(reason["code"]) ?? "",
            ]
            fields["place"] = place(reason["where"] ?? .null, files)
            return fields
        }
        var fields: [String: Any] = ["sentence": "It is refused.", "causes": reasons]
        if reasons.isEmpty { fields["sentence"] = PageWords.safe(refusal["message"]) ?? "It is refused." }
        return fields
    }

    private static func value(_ json: JSON?) -> String {
        switch json {
        case nil, .null?: "none"
        case .string(let text)?: PageWords.safe(text)
        case .bool(let isSo)?: isSo ? "yes" : "no"
        case let json?: PageWords.safe(json.text())
        }
    }

    /// `rules, row 3`
    private static func row(_ json: JSON?) -> String {
        guard let table = json?["table"]?.stringValue, let row = json?["row"]?.integerValue else { return "" }
        return "\(PageWords.safe(table)), row \(row)"
    }

    /// Where it stands in the policy, as a link to the line below.
    private static func place(_ json: JSON, _ files: [String]) -> [String: Any]? {
        guard let line = json["line"]?.integerValue else { return nil }
        let name = json["file"]?.stringValue ?? ""
        let file = files.firstIndex { $0 == name || name.hasSuffix("/\($0)") } ?? 0
        let row = row(json["row"])
        return [
            "link": "#" + anchor(file, Int(line)),
            "words": (row.isEmpty ? "" : row + ": ") + "\(PageWords.safe(name)) line \(line)",
        ]
    }
}
