import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// One title: what it is, where its copies are, what can be done with it.
enum TitlePage: PageGroup {
    static let templates = [PageTemplate("title", PackageResources.title_mustache)]

    static let pages = [
        Page.shown("/titles/{title}") { call in
            let title = try record(call)
            let id = title["id"]?.integerValue ?? 0
            var fields = try described(title, call)
            fields["copies"] = try copies(of: id, call)
            fields["offers"] = try call.list("/listings", ["isbn": .integer(id), "limit": 20]).map {
                try ListingFields.short($0, call)
            }
            fields["isbn"] = title["isbn"]?.stringValue ?? ""
            fields["shares"] = try shares(of: id, call)
            fields["path"] = TitleFields.link(id)
            fields["fieldsPath"] = OwnFieldsPage.link(.title, String(id), call)
            fields["rated"] = try RatingPages.section(of: title, call)
            fields["series"] = try SeriesPage.section(of: title, call)
            if call.caller.patron != nil { fields["member"] = try wishes(title, call) }
            return PageView(template: "title", title: title["title"]?.stringValue ?? "", fields: fields)
        },
        Page.form("/titles/{title}/borrow") { call in
            let title = try record(call)
            let back = TitleFields.link(title["id"]?.integerValue)
            return try call.act(
                .post, "/loans", ["patron": "me", "isbn": title["id"] ?? .null], back: "/me", refusedTo: back
            ) { loan in
                let due = call.words.moment(loan["due_at"])?["words"] as? String
                let name = PageWords.safe(title["title"]) ?? say("It")
                return due.map { say("\(name) has been checked out to you until \($0).") }
                    ?? say("\(name) has been checked out to you.")
            }
        },
        Page.form("/titles/{title}/hold") { call in
            let title = try record(call)
            var members = call.members(["pickup_branch"], of: .post, "/holds")
            members["patron"] = "me"
            members["title"] = title["id"] ?? .null
            let back = TitleFields.link(title["id"]?.integerValue)
            return try call.act(.post, "/holds", members, back: "/me", refusedTo: back) { hold in
                let name = PageWords.safe(title["title"]) ?? say("It")
                return hold["position"]?.integerValue.map {
                    say("Your hold on \(name) has been placed. You are number \($0) in the queue.")
                } ?? say("Your hold on \(name) has been placed.")
            }
        },
    ]

    /// The title that the path names.
    static func record(_ call: PageCall) throws -> JSON {
        do {
            return try call.record("/titles/\(call.value())")
        } catch let problem as Problem where problem.status == 400 {
            // What can be no title's name names none.
            throw Problem.notFound
        }
    }

    /// Whatever the catalogue says of it.
    private static func described(_ title: JSON, _ call: PageCall) throws -> [String: Any] {
        var fields = TitleFields.short(title)
        fields["description"] = PageWords.safe(title["description"])
        fields["preview"] = PageWords.link(title["preview_url"])
        if let stars = title["stars"]?.integerValue, (1...5).contains(stars) {
            fields["stars"] = say("\(stars) out of 5 stars")
        }
        let courses = (title["courses"]?.arrayValue ?? []).compactMap { course in
            PageWords.safe(course["code"]).map { code in
                PageWords.safe(course["name"]).map { "\(code) \($0)" } ?? code
            }
        }
        func text(_ name: String) -> [String] { PageWords.safe(title[name]).map { [$0] } ?? [] }
        let year = title["year"]?.integerValue.map { [String($0)] } ?? []
        let facts: [(name: String, values: [String], facet: String?)] = [
            (say("Publisher"), text("publisher"), nil), (say("Year"), year, "year"),
            (say("Edition"), text("edition"), nil),
            ("ISBN", text("isbn"), nil), (say("Language"), text("language"), "language"),
            (say("Genres"), TitleFields.texts(title["genres"]), "genre"),
            (say("Subjects"), TitleFields.texts(title["subjects"]), "genre"), (say("Courses"), courses, nil),
            (say("College"), text("college"), nil),
        ]
        if let series = PageWords.safe(title["series"]) {
            let number = PageWords.safe(title["series_number"]).map { ", \($0)" } ?? ""
            fields["seriesName"] = series + number
            fields["seriesLink"] = SeriesPage.link(series)
        }
        let own = try OwnFields.shown(title, .title, call, withPatrons: call.caller.isStaff)
        fields["facts"] =
            facts.filter { !$0.values.isEmpty }.map { name, values, facet in
                [
                    "name": name, "value": values.joined(separator: ", "),
                    "links": facet.map { TitleFields.links(values, $0) } ?? [],
                ]
            } + own
        return fields
    }

    private static let mostDue = 20

    private static func copies(of title: Int64, _ call: PageCall) throws -> [[String: Any]] {
        let types = Dictionary(
            try call.list("/item-types").map { ($0["code"]?.stringValue ?? "", $0["name"]?.stringValue ?? "") },
            uniquingKeysWith: { first, _ in first })
        var asked = 0
        /// When a copy comes back that is out; of those of a large set the first are looked up.
        func due(of copy: JSON, _ call: PageCall) throws -> [String: Any]? {
            guard copy["status"] == "on_loan", asked < mostDue, let barcode = copy["barcode"]?.stringValue else {
                return nil
            }
            asked += 1
            let loan = try call.context.look { try $0.loans.get(.barcode(barcode)) }
            guard let loan, loan.lostAt == nil else { return nil }
            return loan.due.flatMap { call.words.moment(.string($0.instant.description)) }
        }
        return try call.list("/titles/\(title)/copies").map { copy in
            let type = copy["item_type"]?.stringValue ?? ""
            var fields: [String: Any] = [
                "barcode": PageWords.safe(copy["barcode"]) ?? "",
                "branch": PageWords.safe(try call.branchName(copy["branch"]?.stringValue) ?? ""),
                "type": PageWords.safe(types[type] ?? type), "state": state(copy["status"]?.stringValue),
                "isAvailable": copy["status"] == "available",
                "own": try OwnFields.shown(copy, .copy, call, withPatrons: call.caller.isStaff),
            ]
            fields["location"] = try call.locationName(of: copy)
            fields["callNumber"] = PageWords.safe(copy["call_number"])
            fields["due"] = try due(of: copy, call)
            fields["copyFields"] = OwnFieldsPage.link(.copy, copy["barcode"]?.stringValue ?? "", call)
            return fields
        }
    }

    private static func state(_ status: String?) -> String {
        switch status {
        case "available": say("Available")
        case "on_loan": say("On loan")
        case "on_hold_shelf": say("On hold shelf")
        case "in_transit": say("In transit")
        case "lost": say("Lost")
        default: say("Withdrawn")
        }
    }

    /// Links that send a title on. A program that opens by itself is not among them.
    private static func shares(of title: Int64, _ call: PageCall) throws -> [[String: Any]] {
        let names = [
            "email": say("E-mail"), "facebook": "Facebook", "x": "X", "whatsapp": "WhatsApp", "telegram": "Telegram",
        ]
        let links =
            try call.recordIfAny(
                "/titles/\(title)/share", ["address": .string(call.services.settings.url + TitleFields.link(title))])?[
                "links"]?.objectValue?.entries ?? []
        return links.compactMap { entry in
            let isMail = entry.value.stringValue?.hasPrefix("mailto:") == true
            guard let link = isMail ? entry.value.stringValue : PageWords.link(entry.value) else { return nil }
            return ["name": names[entry.key] ?? entry.key, "link": link]
        }
    }

    /// What the library's rules would answer the patron, before a request is made.
    private static func wishes(_ title: JSON, _ call: PageCall) throws -> [String: Any] {
        var fields: [String: Any] = [:]
        switch try call.ask(.post, "/loans/check", ["patron": "me", "isbn": title["id"] ?? .null]) {
        case .value(let decision): fields["due"] = call.words.moment(decision["due_at"])
        case .refused(let refusal):
            fields["reasons"] = try RefusedPage.reasons(of: refusal, call)
        case .nothing, .notFound: break
        }
        let home = try call.holder().homeBranch
        fields["branches"] = try call.list("/branches").map { branch in
            [
                "code": branch["code"]?.stringValue ?? "", "name": PageWords.safe(branch["name"]) ?? "",
                "isHome": branch["code"]?.stringValue == home,
            ] as [String: Any]
        }
        fields["canBorrow"] = fields["reasons"] == nil
        let id = title["id"]?.integerValue
        let own = try call.list("/patrons/me/holds").first { $0["title"] == title["id"] && $0["closed_at"] == nil }
        if let own {
            fields["hold"] =
                own["state"] == "shelf"
                ? say("Your hold on this title is ready for pickup.")
                : own["position"]?.integerValue.map {
                    say("You have a hold on this title. You are number \($0) in the queue.")
                } ?? say("You have a hold on this title.")
        }
        if let id { fields["listed"] = try ListsPage.adding(to: TitleFields.link(id), title: id, call) }
        fields["favourite"] = try FavouritesPage.button("title", id, path: TitleFields.link(id), call)
        return fields
    }
}
