import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// Leaving the library: what stands against it, what goes and what stays.
enum LeavingPage: PageGroup {
    static let templates = [
        PageTemplate("leave", PackageResources.leave_mustache), PageTemplate("left", PackageResources.left_mustache),
    ]

    static let pages = [
        Page.shown("/me/leave", .holder) { call in try view(call) },
        Page.shown("/left") { _ in PageView(template: "left", title: say("Your account has been deleted")) },
        Page.entry("/me/leave", .holder) { call in
            do {
                switch try call.ask(.post, "/patrons/me/leave", ["password": .string(call.form["password"] ?? "")]) {
                case .refused(let refusal):
                    var again = try view(call)
                    again.fields["reasons"] = try RefusedPage.reasons(of: refusal, call)
                    again.status = Problem.refusal(refusal).status
                    return .view(again)
                case .notFound: throw Problem.notFound
                case .nothing, .value: return .seeOther("/left", cookies: [.forgotten(.session)])
                }
            } catch let problem as Problem where problem.code == "wrong_log_in" {
                return .view(try view(call, wrong: say("This is not your password.")))
            }
        },
    ]

    private static func view(_ call: PageCall, wrong: String? = nil) throws -> PageView {
        let obstacles = try obstacles(call)
        var fields: [String: Any] = [
            "obstacles": obstacles, "isFree": obstacles.isEmpty, "goes": try losses(call),
            "username": PageWords.safe(try call.holder().username),
        ]
        fields["wrong"] = wrong
        return PageView(
            template: "leave", title: say("Delete your account"), fields: fields, status: wrong == nil ? 200 : 422)
    }

    /// What has to be settled first, with where that is done; the library asks for all of it.
    private static func obstacles(_ call: PageCall) throws -> [[String: Any]] {
        let owed = try call.record("/patrons/me/fees")
        let isOwing = owed.stringValue.map { !$0.hasPrefix("-") && $0.contains { ("1"..."9").contains($0) } } ?? false
        let loans = Int64(try call.list("/patrons/me/loans").count)
        let (rentals, orders) = (Int64(try openRentals(call)), Int64(try openOrders(call)))
        let counts = [
            (loans, PageWords.count(loans, "loan", "loans"), say("to be returned"), "/me"),
            (rentals, PageWords.count(rentals, "rental", "rentals"), say("still open"), "/me/rentals"),
            (orders, PageWords.count(orders, "order", "orders"), say("to be handed over or cancelled"), "/me/orders"),
        ]
        var obstacles = counts.filter { $0.0 > 0 }.map { _, counted, words, link -> [String: Any] in
            ["words": "\(counted) \(words)", "link": link]
        }
        if isOwing { obstacles.append(["words": say("\(PageWords.money(owed) ?? "") to be paid"), "link": "/me"]) }
        return obstacles
    }

    private static func openRentals(_ call: PageCall) throws -> Int {
        try ["borrower", "lender"].map { try call.list("/rentals", [$0: "me", "state": "open"]).count }.reduce(0, +)
    }

    private static func openOrders(_ call: PageCall) throws -> Int {
        try ["buyer", "seller"].flatMap { try call.list("/orders", [$0: "me"]) }.count { $0["state"] == "open" }
    }

    /// What ends with the account and is of some worth to others or to its owner.
    private static func losses(_ call: PageCall) throws -> [[String: Any]] {
        let offers = try call.list("/listings", ["seller": .integer(try call.holder().id), "state": "all"])
        let holds = Int64(try call.list("/patrons/me/holds").count)
        let keys = Int64(try call.list("/keys").count)
        let open = Int64(offers.count { !["sold", "withdrawn"].contains($0["state"]?.stringValue) })
        return [
            (holds, PageWords.count(holds, "hold", "holds")),
            (open, PageWords.count(open, "offer on the market", "offers on the market")),
            (keys, PageWords.count(keys, "API key", "API keys")),
        ]
        .filter { $0.0 > 0 }.map { ["words": $0.1] }
    }
}
