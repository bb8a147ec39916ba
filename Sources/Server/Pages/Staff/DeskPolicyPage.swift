import Circulation
import Desk
import Scripting
import TextFormats
import Workbench

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

    /// What the policy says to a loan, with every row's reason, as `moonshelf policy explain` has it.
    private static func answer(_ call: PageCall, _ files: [String]) throws -> [String: Any] {
        let (patron, text) = (call.query.text("patron") ?? "", call.query.text("isbn") ?? "")
        let isbn: ISBN
        do {
            isbn = try ISBN(text)
        } catch {
            return ["sentence": PageWords.safe("The ISBN makes no sense: \(error)")]
        }
        let request = CheckoutRequest(
            patron: Int64(patron).map { .id($0) } ?? .username(patron), wanted: .titles([.isbn(isbn)]))
        let (refusal, explanation) = try call.context.look { session -> (Refusal?, JSON?) in
            let explained = try session.loans.explainCheckout(request)
            let asked = explained.asked.last { $0.question.point == .checkout } ?? explained.asked.last
            guard let asked, let bundle = try session.policies.bundle(asked.policy) else {
                return (explained.refusal, nil)
            }
            return (explained.refusal, try PolicyExplanation(bundle, question: asked.question).json)
        }
        var fields: [String: Any] = [:]
        fields["causes"] = (refusal?.reasons ?? []).map { reason -> [String: Any] in
            var cause: [String: Any] = ["message": PageWords.safe(reason.message), "code": PageWords.safe(reason.code)]
            if let origin = reason.origin {
                cause["place"] = place(origin.file, Int64(origin.line), origin.row.map(Int64.init), files)
            }
            return cause
        }
        fields["sentence"] =
            refusal == nil ? PageWords.safe(explanation?["explanation"]) ?? "It may be lent." : "It is refused."
        if let explanation {
            let (rows, limits) = (explanation["fields"]?.objectValue?.entries, explanation["limits"]?.arrayValue)
            fields["rows"] = rows.map { rows in rows.map { row($0.key, $0.value, files) } }
            fields["limits"] = limits.map { limits in limits.map { limit($0, files) } }
        }
        return fields
    }

    /// One field of the rule, the row that set it, and why rows before it did not.
    private static func row(_ name: String, _ json: JSON, _ files: [String]) -> [String: Any] {
        var row: [String: Any] = ["name": name.replacing("_", with: " "), "value": value(json["value"])]
        row["place"] = place(json, files)
        row["skipped"] = (json["skipped"]?.arrayValue ?? []).map { skipped -> [String: Any] in
            var fields: [String: Any] = ["because": PageWords.safe(skipped["because"]) ?? ""]
            fields["place"] = place(skipped, files)
            return fields
        }
        return row
    }

    /// One row of the limits, with what it counted.
    private static func limit(_ json: JSON, _ files: [String]) -> [String: Any] {
        var fields: [String: Any] = [
            "most": json["max"]?.integerValue.map(String.init) ?? "any number",
            "count": json["count"]?.integerValue ?? 0, "applies": json["applies"] == true,
            "because": PageWords.safe(json["because"]) ?? "",
        ]
        fields["place"] = place(json, files)
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

    /// Where it stands in the policy, as a link to the line below.
    private static func place(_ json: JSON, _ files: [String]) -> [String: Any]? {
        guard let line = json["line"]?.integerValue else { return nil }
        return place(json["file"]?.stringValue ?? "", line, json["row"]?.integerValue, files)
    }

    private static func place(_ name: String, _ line: Int64, _ row: Int64?, _ files: [String]) -> [String: Any] {
        let file = files.firstIndex(of: name) ?? 0
        return [
            "link": "#" + anchor(file, Int(line)),
            "words": (row.map { "row \($0), " } ?? "") + "\(PageWords.safe(name)) line \(line)",
        ]
    }
}
