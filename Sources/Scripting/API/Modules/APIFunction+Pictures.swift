import Circulation
import Desk
import LuaRuntime
import Market
import TextFormats

// Pictures that people upload.
extension APIFunction {
    private static let image = APIParameter.required(
        "image", .picture, "the file in base64: JPEG, PNG, GIF or WebP of at most 8 MB and 40 megapixels")
    private static let faults = ["picture_unknown", "picture_too_large", "picture_damaged", "pictures_unavailable"]
    private static let details =
        "The picture is read by a process that may do nothing else, made smaller and written anew as JPEG, without what a camera "
        + "wrote into it. Over HTTP the body may be the file itself, with its own `Content-Type` (`image/jpeg`). Within "
        + "`store.transaction` and in a dry run no picture is read."

    static let catalogueSetCover = APIFunction(
        "set_cover", "Gives a title a cover that the library keeps, in the place of one that it has.", details: details,
        .named("cover", .required("title", .reference(.title)), image),
        returns: .written(.record("title")), refusals: ["unknown_title"] + faults, needs: .catalogueWrite,
        route: .init(.put, "/titles/{title}/cover", .staff, isBeside: true),
        examples: APIExample(
            #"(pcall(catalogue.set_cover, { title = "9780441013593", image = "no base64" }))"#, "false")
    ) { call in
        let key = try call.titleKey("title")
        let bytes = try call.pictureBytes()
        let outcome = try call.script.deskForPictures().setCover(of: key, to: bytes)
        return try call.read { session in
            try call.answer(outcome) { APIRecord.title.table(try session.counted($0)) }
        }
    }

    static let catalogueRemoveCover = APIFunction(
        "remove_cover", "Takes away the cover of a title that the library keeps.",
        [.required("title", .reference(.title))],
        returns: .written(.record("title")), refusals: ["unknown_title"], needs: .catalogueWrite,
        route: .init(.delete, "/titles/{title}/cover", .staff),
        examples: APIExample(#"catalogue.remove_cover("9780441013593").cover"#, "nil")
    ) { call in
        let key = try call.titleKey("title")
        return try call.write { session in
            try call.answer(try session.catalogue.removeCover(of: key)) {
                APIRecord.title.table(try session.counted($0))
            }
        }
    }

    static let marketAddPicture = APIFunction(
        "add_picture", "Adds a picture behind those that a listing has, at most six.",
        details: details
            + " What is offered is decided by the policy's `publish` anew. The pictures go when the listing is withdrawn or sold.",
        .named(
            "picture", .required("listing", .reference(.listing)), image,
            .optional("by", .reference(.patron), "the patron who asks; left out: staff")),
        returns: .written(.record("listing")),
        refusals: ["unknown_listing", "unknown_patron", "not_owner", "closed", "pictures_full", "policy_failed"]
            + faults,
        needs: .marketWrite,
        route: .init(
            .post, "/listings/{listing}/pictures", .holder, own: ["by"], owned: "listing", hidden: ["by"],
            creates: true, isBeside: true),
        examples: APIExample(
            MarketExample.offer + #"return (pcall(market.add_picture, { listing = l, image = "no base64" }))"#, "false")
    ) { call in
        let id = try call.id("listing")
        let asker = try call.optionalPatronKey("by")
        let bytes = try call.pictureBytes()
        let outcome = try call.script.deskForPictures().addPicture(bytes, to: id, by: asker)
        return try call.read { session in
            try call.answer(outcome) { APIRecord<ListingRow>.listing.table(try ListingRow($0, in: session)) }
        }
    }

    static let marketRemovePicture = APIFunction(
        "remove_picture", "Takes a picture away from a listing.",
        .named(
            "picture", .required("listing", .reference(.listing)),
            .required("picture", .text(maximum: 64), "its name, one of the listing's `pictures`"),
            .optional("by", .reference(.patron), "the patron who asks; left out: staff")),
        returns: .written(.record("listing")),
        refusals: ["unknown_listing", "unknown_patron", "not_owner", "closed", "policy_failed"], needs: .marketWrite,
        route: .init(
            .delete, "/listings/{listing}/pictures/{picture}", .holder, own: ["by"], owned: "listing", hidden: ["by"]),
        examples: APIExample(
            MarketExample.offer + #"return #market.remove_picture{ listing = l, picture = "ab" }.pictures"#, "0")
    ) { call in
        let id = try call.id("listing")
        let asker = try call.optionalPatronKey("by")
        let name: String = try call.arguments.need("picture")
        return try call.changeListing { try $0.market.removePicture(name, of: id, by: asker) }
    }

    static let marketMovePicture = APIFunction(
        "move_picture", "Puts a picture of a listing in another place; the first stands for the offer in lists.",
        .named(
            "picture", .required("listing", .reference(.listing)),
            .required("picture", .text(maximum: 64), "its name, one of the listing's `pictures`"),
            .required("position", .integer(1...Int64(Listing.mostPictures)), "from 1; behind the last is the last"),
            .optional("by", .reference(.patron), "the patron who asks; left out: staff")),
        returns: .written(.record("listing")),
        refusals: ["unknown_listing", "unknown_patron", "not_owner", "closed", "unknown_picture", "policy_failed"],
        needs: .marketWrite,
        route: .init(
            .post, "/listings/{listing}/pictures/{picture}/move", .holder, own: ["by"], owned: "listing",
            hidden: ["by"]),
        examples: APIExample(
            MarketExample.offer
                + #"return select(2, market.move_picture{ listing = l, picture = "ab", position = 1 }).code"#,
            #""unknown_picture""#)
    ) { call in
        let id = try call.id("listing")
        let asker = try call.optionalPatronKey("by")
        let name: String = try call.arguments.need("picture")
        let position: Int64 = try call.arguments.need("position")
        return try call.changeListing { try $0.market.movePicture(name, of: id, to: position, by: asker) }
    }
}

extension APICall {
    /// - Throws: `LuaHostError` for what is no base64.
    fileprivate func pictureBytes() throws -> [UInt8] {
        guard let bytes = Base64Text.bytes(of: try arguments.need("image")) else {
            throw fault("'image' must be a file in base64")
        }
        return bytes
    }
}
