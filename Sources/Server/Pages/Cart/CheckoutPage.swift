import Circulation
import Languages
import Scripting
import TextFormats

/// Checking a cart out, and what came of it.
enum CheckoutPage: PageGroup {
    static let templates = [PageTemplate("checkout", PackageResources.checkout_mustache)]

    static let pages = [
        Page.form("/cart/checkout") { call in
            switch try call.ask(.post, "/patrons/me/cart/checkout") {
            case .value(let done): return .done(to: "/cart/checkout", saying: "", details: try details(done, call))
            case .refused(let refusal): return .refused(refusal, back: "/cart")
            case .nothing, .notFound: throw Problem.notFound
            }
        },
        Page.shown("/cart/checkout", .holder) { call in
            guard let key = call.query["did"],
                case .done(_, _, let details)? = try IdempotentForm.said(key, to: try call.holder().id, call)
            else { throw Problem.notFound }
            let rows: (String) -> [[String: Any]] = { name in
                (details[name]?.arrayValue ?? []).map { row in
                    var fields: [String: Any] = ["name": PageWords.safe(row["name"]) ?? say("Untitled")]
                    fields["due"] = call.words.moment(row["due"])
                    fields["ends"] = call.words.date(row["ends"])
                    fields["quantity"] = row["quantity"]?.integerValue
                    return fields
                }
            }
            var fields: [String: Any] = ["loans": rows("loans"), "items": rows("items")]
            if let order = details["order"] { fields["total"] = CartPage.fields(ofTotal: order) }
            return PageView(template: "checkout", title: say("Checkout complete"), fields: fields)
        },
    ]

    /// What is shown of a checkout, kept with it: names as they were.
    private static func details(_ done: JSON, _ call: PageCall) throws -> JSONObject {
        var details: JSONObject = [:]
        details["loans"] = .array(
            try (done["loans"]?.arrayValue ?? []).map { loan in
                let name = try call.titleName(loan["title"]?.integerValue) ?? ""
                return ["name": .string(name), "due": loan["due_at"] ?? .null]
            })
        if let order = done["order"] {
            details["items"] = .array(
                (order["items"]?.arrayValue ?? []).map { item in
                    [
                        "name": item["name"] ?? .null, "quantity": item["quantity"] ?? .null,
                        "ends": item["ends_on"] ?? .null,
                    ]
                })
            details["order"] = [
                "lines": order["lines"] ?? .null, "total": order["total"] ?? .null, "owed": order["owed"] ?? .null,
            ]
        }
        return details
    }
}
