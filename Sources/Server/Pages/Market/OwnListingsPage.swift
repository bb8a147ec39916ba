import Circulation
import Languages
import Pictures
import Scripting
import TextFormats

/// A patron's listings: publishing, changing, withdrawing.
enum OwnListingsPage: PageGroup {
    static let templates = [
        PageTemplate("edit-listing", PackageResources.edit_listing_mustache),
        PageTemplate("own-listings", PackageResources.own_listings_mustache),
        PageTemplate("publish", PackageResources.publish_mustache),
    ]

    static let pages = [
        Page.shown("/me/listings", .holder) { call in
            let listings = try call.list("/listings", ["seller": .integer(try call.holder().id), "state": "all"])
            return PageView(
                template: "own-listings", title: say("Your offers"),
                fields: [
                    "listings": try listings.map { listing in
                        var fields = try ListingFields.short(listing, call)
                        fields["isOpen"] = !["sold", "withdrawn"].contains(listing["state"]?.stringValue)
                        return fields
                    }
                ])
        },
        Page.shown("/me/listings/new", .holder) { call in try publishing(call) },
        Page.form("/me/listings", again: publishing) { call in
            var members = call.members(try publishingFields(call).map(\.name), of: .post, "/listings")
            guard members["isbn"] != nil || members["name"] != nil else {
                throw Problem.input("Enter an ISBN or a title.", argument: "name")
            }
            if members["kind"] != "rent" { members["period"] = nil }
            if members["kind"] == "trade" || members["kind"] == "donate" { members["price"] = nil }
            for name in ["recommended", "draft"] where call.form.text(name) != nil { members[name] = true }
            members["seller"] = "me"
            return try call.act(.post, "/listings", members, back: "/me/listings") { listing in
                let name = PageWords.safe(listing["name"]) ?? say("It")
                return listing["state"] == "review"
                    ? say(
                        "\(name) has been sent to the library's staff for review. Others will see it once it has "
                            + "been approved.")
                    : say("\(name) has been saved.")
            }
        },
        Page.shown("/me/listings/{listing}", .holder) { call in try editing(call) },
        Page.form("/me/listings/{listing}", again: editing) { call in
            let path = try own(call)
            var members = call.members(
                ["price", "period", "quantity", "condition", "edition", "picture", "note", "state"], of: .patch,
                "/listings/{listing}")
            members["recommended"] = .bool(call.form.text("recommended") != nil)
            // What was emptied is to be empty.
            for name in ["condition", "edition", "note"] where call.form[name] != nil && members[name] == nil {
                members[name] = ""
            }
            return try call.act(.patch, path, members, back: "/me/listings") {
                say("\(PageWords.safe($0["name"]) ?? say("The offer")) has been changed.")
            }
        },
        Page.form("/me/listings/{listing}/rentals", again: editing) { call in
            let members = call.members(rentalFields(1).map(\.name), of: .post, "/listings/{listing}/rentals")
            return try call.act(
                .post, "\(try own(call))/rentals", members, back: "/me/rentals", refusedTo: "/me\(try own(call))"
            ) { _ in say("The rental has been recorded, and the borrower will get a message.") }
        },
        Page(
            verb: .post, path: "/me/listings/{listing}/pictures", access: .holder,
            work: .working { call in
                let path = try own(call)
                return try call.act(.post, "\(path)/pictures", try call.picture(), back: "/me\(path)") { _ in
                    say("The picture has been added.")
                }
            }, mostFileBytes: PictureLimits.mostBytes, again: editing),
        Page.form("/me/listings/{listing}/pictures/{picture}/remove", again: editing) { call in
            let path = try own(call)
            return try call.act(.delete, "\(path)/pictures/\(PageCall.segment(call.values[1]))", back: "/me\(path)") {
                _ in say("The picture has been removed.")
            }
        },
        Page.form("/me/listings/{listing}/pictures/{picture}/move", again: editing) { call in
            let path = "\(try own(call))/pictures/\(PageCall.segment(call.values[1]))/move"
            return try call.act(
                .post, path, call.members(["position"], of: .post, "/listings/{listing}/pictures/{picture}/move"),
                back: "/me/listings/\(call.value())"
            ) { _ in say("The order of the pictures has been changed.") }
        },
        Page.form("/me/listings/{listing}/withdraw") { call in
            try call.act(.delete, try own(call), back: "/me/listings") {
                say("\(PageWords.safe($0["name"]) ?? say("The offer")) has been withdrawn.")
            }
        },
    ]

    /// Lengths of time that a rental's price may be for.
    private static let periods: [(value: String, name: Phrase)] = [
        ("P1D", "day"), ("P1W", "week"), ("P1M", "month"), ("P6M", "half-year"),
    ]

    /// The route of the listing that the path names, which has to be the caller's own even if they are staff.
    private static func own(_ call: PageCall) throws -> String {
        _ = try listing(call)
        return "/listings/\(call.value())"
    }

    private static func listing(_ call: PageCall) throws -> JSON {
        guard Int64(call.values[0]) != nil else { throw Problem.notFound }
        let listing = try call.record("/listings/\(call.value())")
        guard listing["seller"]?.integerValue == (try call.holder().id) else { throw Problem.notFound }
        return listing
    }

    // MARK: - The forms

    private static let told = [
        PageField(name: "condition", label: "Condition", most: 200),
        PageField(name: "edition", label: "Edition", most: 200),
        PageField(name: "picture", label: "Web address of a picture", kind: .url, most: 1_000),
        PageField(name: "note", label: "Description", kind: .lines, most: 2_000),
    ]

    private static func price(_ hint: Phrase?) -> PageField {
        PageField(name: "price", label: "Price per item", most: 20, hint: hint, isDecimal: true)
    }

    private static func period(_ chosen: String?) -> PageField {
        PageField(name: "period", label: "Rent is charged per", choices: choices(of: chosen))
    }

    private static func quantity(_ least: Int) -> PageField {
        PageField(name: "quantity", label: "Number of items", kind: .number, least: least, most: 1_000, standard: "1")
    }

    private static func publishingFields(_ call: PageCall) throws -> [PageField] {
        [
            PageField(
                name: "isbn", label: "ISBN", most: 30, hint: "All you need if the title is in the catalogue."),
            PageField(
                name: "name", label: "Title", otherName: "title", most: 500,
                hint: "If it may not be in the catalogue, fill in the title and whatever else you know."),
            PageField(name: "authors", label: "Authors", most: 500, hint: "Separate several names with commas."),
            PageField(name: "courses", label: "Courses"),
            PageField(
                name: "college", label: "College", most: 200, hint: "Choose one, or type one that is not listed.",
                offered: try ListingFields.colleges(call).map { (word: $0, name: "") }),
            PageField(
                name: "kind", label: "Type of offer", standard: "sell",
                choices: ListingFields.kinds.map { ($0.value, say($0.name)) }),
            price("For example, 4.50. Leave empty for swaps and gifts."), period(call.form.text("period")),
            quantity(1),
        ] + told
    }

    /// Of a rental on which the two agreed by themselves.
    private static func rentalFields(_ most: Int) -> [PageField] {
        [
            PageField(
                name: "borrower", label: "Rented to", most: 200,
                hint: "The name shown to other members, such as ann or Reader 62.", isRequired: true),
            PageField(name: "ends_on", label: "Until", kind: .date, isRequired: true),
            PageField(name: "quantity", label: "Number of items", kind: .number, least: 1, most: most, standard: "1"),
        ]
    }

    private static func publishing(_ call: PageCall) throws -> PageView {
        PageView(
            template: "publish", title: say("Offer something"),
            fields: [
                "inputs": PageField.inputs(try publishingFields(call), call) { call.query[$0] },
                "isDraft": call.form.text("draft") != nil,
                "isRecommended": call.form.text("recommended") != nil,
            ])
    }

    private static func editing(_ call: PageCall) throws -> PageView {
        let listing = try listing(call)
        let isRent = listing["kind"] == "rent"
        var fields = [PageField]()
        if isRent || listing["kind"] == "sell" { fields.append(price(nil)) }
        if isRent { fields.append(period(call.form.text("period") ?? listing["period"]?.stringValue)) }
        let states = [
            ("", say("No change")), ("active", say("Offered")), ("hidden", say("Hidden")), ("draft", say("Draft")),
        ]
        fields += [quantity(0)] + told + [PageField(name: "state", label: "Visibility", choices: states)]
        // What was sent to the form of rentals is no input of the other.
        let isRentalSent = call.request.path.hasSuffix("/rentals")
        let isPictureSent = call.request.path.contains("/pictures")
        let inputs = PageField.inputs(fields, call, form: isRentalSent || isPictureSent ? "listing" : nil) { name in
            // Without the currency: the field takes what people write.
            name == "price"
                ? listing[name]?.stringValue.map { String($0.prefix { $0 != " " }) }
                : listing[name]?.stringValue ?? listing[name]?.integerValue.map(String.init)
        }
        let pictures = ListingFields.pictures(listing)
        var values: [String: Any] = [
            "id": listing["id"]?.integerValue ?? 0, "inputs": inputs,
            "state": ListingFields.word(ofState: listing["state"]?.stringValue),
            "pictures": pictures, "mayAddPicture": pictures.count < Listing.mostPictures,
            "mostPictures": Listing.mostPictures,
            "isRecommended": call.request.method == "POST" && !isRentalSent && !isPictureSent
                ? call.form.text("recommended") != nil : listing["recommended"] == true,
        ]
        if isRent, listing["state"] == "active" {
            let most = Int(clamping: listing["quantity"]?.integerValue ?? 1)
            values["rentalInputs"] = PageField.inputs(rentalFields(most), call, form: "rentals")
        }
        return PageView(template: "edit-listing", title: PageWords.safe(listing["name"]) ?? "", fields: values)
    }

    private static func choices(of chosen: String?) -> [(value: String, name: String)] {
        let named = periods.map { (value: $0.value, name: say($0.name)) }
        guard let chosen, !periods.contains(where: { $0.value == chosen }),
            let words = PageWords.period(.string(chosen))
        else { return named }
        return named + [(chosen, words)]
    }
}
