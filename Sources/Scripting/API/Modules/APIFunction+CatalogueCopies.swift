import Circulation
import Desk
import LuaRuntime

// Writing copies.
extension APIFunction {
    static let catalogueAddCopies = APIFunction(
        "add_copies", "Adds copies of a title, with barcodes made for them unless given.",
        .named(
            "options", .required("isbn", .reference(.title), "an ISBN, an id or a title"),
            .optional("count", .integer(1...1000), "how many", standard: "1"),
            .optional("branch", .reference(.branch), "the first branch if left out"),
            .optional("item_type", .reference(.itemType), "", standard: "\"book\""),
            .optional("barcodes", .list(.text(maximum: 100)), "one for each copy"),
            .optional("replacement_price", .money),
            .optional("location", .text(maximum: 100), "where they stand in their branch: `new books`"),
            .optional("call_number", .text(maximum: 200), "the mark by which they stand there: `823.912 TOL`"),
            .optional("acquired_on", .date, "the day on which the library got them"), .extra(of: .copy)),
        returns: .written(.list(.record("copy"))), refusals: ["unknown_title", "exists"], needs: .catalogueWrite,
        route: .init(.post, "/titles/{isbn}/copies", .staff, creates: true),
        examples: APIExample(#"#catalogue.add_copies{ isbn = "9780441013593", count = 2 }"#, "2")
    ) { call in
        let key = try call.titleKey("isbn")
        let barcodes: [String] = call.arguments["barcodes"] ?? []
        let count = call.number("count", standard: max(1, barcodes.count))
        guard barcodes.isEmpty || barcodes.count == count else {
            throw call.fault("'barcodes' has \(barcodes.count) entries for \(count) copies")
        }
        return try call.write { session in
            let outcome = try session.catalogue.addCopies(
                of: key, count: count, branch: call.optionalCode("branch"), itemType: call.optionalCode("item_type"),
                barcodes: barcodes, replacementPrice: call.arguments["replacement_price"],
                location: call.arguments["location"], callNumber: call.arguments["call_number"],
                acquiredOn: call.arguments["acquired_on"],
                extra: call.ownFields(call.arguments, .copy))
            return call.answer(outcome, APIRecord.copy.list)
        }
    }

    static let catalogueUpdateCopy = APIFunction(
        "update_copy", "Changes what is given of a copy; the rest stays. `none` takes away what may be nil.",
        [
            .required("barcode", .reference(.copy), "which copy"),
            .required(
                "changes",
                .fields([
                    .optional("barcode", .text(maximum: 100), "a new barcode"),
                    .optional("branch", .reference(.branch)),
                    .optional("item_type", .reference(.itemType)),
                    .optional("status", .choice(["available", "lost", "in_transit"]), ""),
                    .clearable("replacement_price", .money),
                    .clearable("location", .text(maximum: 100), "where it stands in its branch"),
                    .clearable("call_number", .text(maximum: 200), "the mark by which it stands there"),
                    .clearable("acquired_on", .date, "the day on which the library got it"),
                    .extra(of: .copy),
                ]), "the fields that change"),
        ],
        returns: .written(.record("copy")), refusals: ["unknown_copy", "exists", "on_loan"], needs: .catalogueWrite,
        route: .init(.patch, "/copies/{barcode}", .staff),
        examples: APIExample(#"catalogue.update_copy("1001", { status = "in_transit" }).status"#, #""in_transit""#)
    ) { call in
        let changes: APIArguments = try call.arguments.need("changes")
        return try call.write { session in
            let barcode = try call.barcode("barcode", in: session)
            let outcome = try session.catalogue.updateCopy(barcode: barcode) { copy in
                if let barcode: String = changes["barcode"] { copy.barcode = barcode }
                if case .text(let branch)? = changes["branch"] as RecordKey? { copy.branch = branch }
                if case .text(let type)? = changes["item_type"] as RecordKey? { copy.itemType = type }
                if let status = (changes["status"] as String?).flatMap(CopyStatus.init) { copy.status = status }
                copy.replacementPrice = changes.changed("replacement_price", copy.replacementPrice)
                copy.location = changes.changed("location", copy.location)
                copy.callNumber = changes.changed("call_number", copy.callNumber)
                copy.acquiredOn = changes.changed("acquired_on", copy.acquiredOn)
                copy.extra = try call.ownFields(changes, .copy, of: copy.extra)
            }
            return call.answer(outcome, APIRecord.copy.table)
        }
    }

    static let catalogueWithdrawCopy = APIFunction(
        "withdraw_copy", "Takes a copy out of the collection.",
        [.required("barcode", .reference(.copy))],
        returns: .written(.record("copy")), refusals: ["unknown_copy", "on_loan"], needs: .catalogueWrite,
        route: .init(.delete, "/copies/{barcode}", .staff),
        examples: APIExample(#"catalogue.withdraw_copy("1001").status"#, #""withdrawn""#)
    ) { call in
        try call.write { session in
            let barcode = try call.barcode("barcode", in: session)
            return call.answer(try session.catalogue.withdrawCopy(barcode: barcode), APIRecord.copy.table)
        }
    }
}
