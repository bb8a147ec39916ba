import Circulation
import Languages
import Scripting
import TextFormats

/// What patrons suggest and offer, and staff have to look at before others see it.
enum DeskSuggestionsPage: PageGroup {
    static let templates = [PageTemplate("desk-suggestions", PackageResources.desk_suggestions_mustache)]

    static let pages = [
        Page.shown("/desk/suggestions", .staff) { call in
            let suggestions = try call.list("/suggestions", ["state": "review"])
            let listings = try call.list("/listings", ["state": "review"])
            return PageView(
                template: "desk-suggestions", title: say("For review"),
                fields: [
                    "suggestions": try suggestions.map { suggestion in
                        var fields = SuggestionsPage.shown(suggestion, call)
                        fields["patron"] = PageWords.safe(
                            try PatronFields.name(of: suggestion["patron"]?.integerValue, call)
                                ?? say("a former member"))
                        return fields
                    },
                    "listings": try listings.map { listing in
                        var fields = try ListingFields.short(listing, call)
                        fields["note"] = PageWords.safe(listing["note"])
                        if let name = try PatronFields.name(of: listing["seller"]?.integerValue, call) {
                            fields["seller"] = name
                        }
                        return fields
                    },
                    "reviews": try call.list("/reviews/reported").map { rating in
                        var fields = RatingPages.shown(rating, back: "/desk/suggestions", call)
                        fields["name"] = PageWords.safe(rating["name"]) ?? ""
                        fields["link"] = TitleFields.link(rating["title"]?.integerValue)
                        fields["patron"] = PageWords.safe(
                            try PatronFields.name(of: rating["patron"]?.integerValue, call) ?? say("a former member"))
                        return fields
                    },
                ])
        },
        Page.form("/desk/suggestions/{suggestion}/approve", .staff) { call in
            try decide(call, "/suggestions/\(call.value())/approve", say("is now in the catalogue."))
        },
        Page.form("/desk/suggestions/{suggestion}/reject", .staff) { call in
            try decide(call, "/suggestions/\(call.value())/reject", say("has been declined."))
        },
        Page.form("/desk/listings/{listing}/approve", .staff) { call in
            try decide(call, "/listings/\(call.value())/approve", say("is now on offer."))
        },
        Page.form("/desk/listings/{listing}/reject", .staff) { call in
            try decide(call, "/listings/\(call.value())/reject", say("has been made a draft again."))
        },
    ]

    private static func decide(_ call: PageCall, _ path: String, _ words: String) throws -> PageOutcome {
        var members = JSONObject()
        if let message = call.form.text("message") {
            members["message"] = .string(message.replacing("\r\n", with: "\n"))
        }
        return try call.act(.post, path, members, back: "/desk/suggestions") {
            "\(PageWords.safe($0["name"]) ?? say("It")) \(words)"
        }
    }
}
