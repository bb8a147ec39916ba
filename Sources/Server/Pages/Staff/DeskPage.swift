import Circulation
import Scripting
import TextFormats

/// The desk: taking copies back, and finding who stands in front of it.
enum DeskPage {
    static let pages = [
        Page.shown("/desk", .staff) { call in view(call) },
        Page.form("/desk/check-in", .staff, again: view) { call in
            guard let barcode = call.form.text("barcode") else {
                throw Problem.input("Scan a copy, or type its barcode.")
            }
            return try call.act(.post, "/checkins", ["barcode": .string(barcode)], back: "/desk") {
                try words(for: $0, call)
            }
        },
        Page(
            verb: .get, path: "/desk/patrons", access: .staff,
            work: .entering { call in
                let words = call.query.text("query") ?? ""
                guard !words.isEmpty else { return .seeOther("/desk") }
                // Whoever is named whole, by number or username, is meant.
                if let patron = try known(words, call), let id = patron["id"]?.integerValue {
                    return .seeOther("/desk/patrons/\(id)")
                }
                let found = try call.list("/patrons", ["query": .string(words), "limit": 50])
                return .view(
                    PageView(
                        template: "desk-patrons", title: "Patrons",
                        fields: ["words": PageWords.safe(words), "patrons": found.map(fields)]))
            }),
    ]

    private static func view(_ call: PageCall) -> PageView {
        PageView(template: "desk", title: "Desk", fields: ["barcode": PageWords.safe(call.form["barcode"] ?? "")])
    }

    private static func known(_ words: String, _ call: PageCall) throws -> JSON? {
        do {
            return try call.recordIfAny("/patrons/\(PageCall.segment(words))")
        } catch let problem as Problem where problem.status == 400 {
            return nil
        }
    }

    /// A patron as one of a list.
    static func fields(of patron: JSON) -> [String: Any] {
        let names = [PageWords.safe(patron["name"]), PageWords.safe(patron["surname"])].compactMap(\.self)
        let username = PageWords.safe(patron["username"]) ?? ""
        return [
            "id": patron["id"]?.integerValue ?? 0, "username": username,
            "name": names.isEmpty ? username : names.joined(separator: " "),
            "category": PageWords.safe(patron["category"]) ?? "",
        ]
    }

    /// What came of a check-in, and what is to be done with the copy now.
    static func words(for checkin: JSON, _ call: PageCall) throws -> String {
        let name = try call.titleName(checkin["title"]?.integerValue).map(PageWords.safe) ?? "The copy"
        var sentences = [checkin["returned_at"] == nil ? "\(name) was scanned." : "\(name) is back."]
        if let hold = checkin["hold"] {
            let branch = PageWords.safe(try call.branchName(hold["pickup_branch"]?.stringValue) ?? "")
            let patron = try call.username(hold["patron"]?.integerValue).map(PageWords.safe) ?? "somebody"
            sentences.append(
                hold["state"] == "transit"
                    ? "Send it to \(branch): \(patron) waits for it." : "Set it aside for \(patron), at \(branch).")
        }
        for entry in checkin["posted"]?.arrayValue ?? [] {
            let label = PageWords.safe(entry["label"]) ?? "Fee"
            sentences.append("\(label): \(PageWords.money(entry["amount"]) ?? "").")
        }
        if let block = checkin["suspension"] {
            let ends = call.words.date(block["ends"])?["words"] as? String
            sentences.append("The patron is suspended\(ends.map { " until \($0)" } ?? "").")
        }
        for failure in checkin["failures"]?.arrayValue ?? [] {
            sentences.append("The policy failed: \(PageWords.safe(failure) ?? "")")
        }
        return sentences.joined(separator: " ")
    }
}
