import Circulation

/// The shapes in which declared records come in.
enum ImportShapes {
    static let title = ImportShape(
        ExportedRecords.title, required: ["title"],
        others: [
            RecordMember("copies", .integer, "how many copies there are to be"),
            RecordMember("marc", .object, "a record as MARC-in-JSON has it"),
            RecordMember("cover", .object, "a picture as an export wrote it"),
        ])

    static let patron = ImportShape(
        ExportedRecords.patron, required: ["username"],
        others: [
            RecordMember("password", .object, "never taken over"), RecordMember("blocks", .items),
            RecordMember(
                "guardians", .texts, "usernames of those who answer for the patron, who may come later in the file"),
        ])

    static let patronLink = ImportShape(ExportedRecords.patronLink, required: ["patron", "other", "kind"])

    static let rating = ImportShape(ExportedRecords.rating, required: ["patron", "stars", "rated_at"])
    static let titleList = ImportShape(ExportedRecords.titleList, required: ["patron", "name", "created_at"])
    static let listedTitle = ImportShape(
        ExportedRecords.listedTitle, required: ["added_at"],
        others: [
            RecordMember("username", .text, "whose list it is", isRequired: true),
            RecordMember("list", .text, "the list's name", isRequired: true),
        ])

    static let copy = ImportShape(
        ExportedRecords.copy, required: ["barcode"],
        others: [
            RecordMember("isbn", .isbn, "of its title"), RecordMember("title", .text, "where its title has no ISBN"),
            RecordMember("authors", .texts), RecordMember("year", .integer),
        ])

    static let loan = ImportShape(
        ExportedRecords.loan,
        others: [
            RecordMember("lent_on", .date, "in place of `lent_at`; one of them has to be there"),
            RecordMember("returned_on", .date, "in place of `returned_at`"),
            RecordMember("renewed", .integers, "when it was renewed"),
            RecordMember("borrower", .text, "in place of `username`: a username, or a name that one patron has"),
            RecordMember("content", .object, "what a loan without a key is known by"),
        ])

    static let hold = ImportShape(ExportedRecords.hold, required: ["import_key", "pickup_branch", "placed_at"])
    static let ledgerEntry = ImportShape(ExportedRecords.ledgerEntry, required: ["key", "kind", "at", "amount"])
    static let notice = ImportShape(
        ExportedRecords.notice, required: ["patron", "kind", "subject_key", "created_at"])
    static let inHouseUse = ImportShape(ExportedRecords.inHouseUse, required: ["used_at"])
    static let listing = ImportShape(
        ExportedRecords.listing, required: ["import_key", "kind", "state", "created_at"],
        others: [RecordMember("pictures", .items, "pictures as an export wrote them")])
    static let order = ImportShape(ExportedRecords.order, required: ["import_key", "state", "placed_at", "total"])
    static let rental = ImportShape(
        ExportedRecords.rental, required: ["import_key", "listing", "price", "period", "begun_at", "ends"])
    static let cartLine = ImportShape(ExportedRecords.cartLine, required: ["patron", "kind", "added_at"])
    static let favourite = ImportShape(ExportedRecords.favourite, required: ["patron", "added_at"])
    static let suggestion = ImportShape(
        ExportedRecords.suggestion, required: ["import_key", "proposal", "state", "submitted_at"])
    static let conversation = ImportShape(
        ExportedRecords.conversation, required: ["import_key", "listing", "begun_at"])
    static let message = ImportShape(
        ExportedRecords.message, required: ["conversation", "number", "text", "sent_at"])
    static let blockedWriter = ImportShape(
        ExportedRecords.blockedWriter, required: ["patron", "writer", "blocked_at"])
    static let activation = ImportShape(
        ExportedRecords.activation, required: ["policy", "effective_from", "activated_at"],
        others: [RecordMember("files", .items)])

    private static let code = RecordMember("code", .text, isRequired: true)
    private static let name = RecordMember("name", .text)
    static let course = [code, name, RecordMember("isbn", .isbn, "of a title that it uses")]
    static let category = [code, name, RecordMember("parent", .text, "the code of what it is a kind of")]
    static let itemType = category
    static let location = [code, name]
    static let branch =
        [code, name, RecordMember("parent", .text, "the code of the branch that it belongs to")]
        + [RecordMember("zone", .text, "a time zone, as `Europe/Paris`"), RecordMember("calendar", .object)]
    static let library =
        [name, RecordMember("zone", .text, "a time zone, as `Europe/Paris`"), RecordMember("currency", .text)]
        + [
            RecordMember("reserved_names", .texts, "the words that no display name begins with"),
            RecordMember("has_ratings", .flag, "whether patrons rate titles"),
            RecordMember("gathered_notices", .texts, "the kinds of notices of which one message has several"),
        ]
}

extension NativeRecords {
    /// Every kind of record that an import knows, in the order in which they are explained.
    static let all: [RecordKind] = [
        RecordKind(name: "title", plural: "titles", members: ImportShapes.title.members, read: title),
        RecordKind(name: "copy", plural: "copies", members: ImportShapes.copy.members, read: copy),
        RecordKind(name: "patron", plural: "patrons", members: ImportShapes.patron.members, read: patron),
        RecordKind(
            name: "patron_link", plural: "patron_links", members: ImportShapes.patronLink.members, read: patronLink),
        RecordKind(name: "loan", plural: "loans", members: ImportShapes.loan.members, read: loan),
        RecordKind(name: "hold", plural: "holds", members: ImportShapes.hold.members, read: hold),
        RecordKind(name: "course", plural: "courses", members: ImportShapes.course, read: course),
        RecordKind(name: "branch", plural: "branches", members: ImportShapes.branch, read: branch),
        RecordKind(name: "category", plural: "categories", members: ImportShapes.category, read: category),
        RecordKind(name: "item_type", plural: "item_types", members: ImportShapes.itemType, read: itemType),
        RecordKind(name: "location", plural: "locations", members: ImportShapes.location, read: location),
        RecordKind(name: "library", plural: "library", members: ImportShapes.library, read: library),
        RecordKind(
            name: "ledger_entry", plural: "ledger_entries", members: ImportShapes.ledgerEntry.members,
            read: ledgerEntry),
        RecordKind(name: "notice", plural: "notices", members: ImportShapes.notice.members, read: notice),
        RecordKind(
            name: "in_house_use", plural: "in_house_uses", members: ImportShapes.inHouseUse.members, read: inHouseUse),
        RecordKind(name: "listing", plural: "listings", members: ImportShapes.listing.members, read: listing),
        RecordKind(name: "order", plural: "orders", members: ImportShapes.order.members, read: order),
        RecordKind(name: "rental", plural: "rentals", members: ImportShapes.rental.members, read: rental),
        RecordKind(name: "cart_line", plural: "cart_lines", members: ImportShapes.cartLine.members, read: cartLine),
        RecordKind(
            name: "favourite", plural: "favourites", members: ImportShapes.favourite.members, read: favourite),
        RecordKind(name: "rating", plural: "ratings", members: ImportShapes.rating.members, read: rating),
        RecordKind(
            name: "title_list", plural: "title_lists", members: ImportShapes.titleList.members, read: titleList),
        RecordKind(
            name: "listed_title", plural: "listed_titles", members: ImportShapes.listedTitle.members,
            read: listedTitle),
        RecordKind(
            name: "suggestion", plural: "suggestions", members: ImportShapes.suggestion.members, read: suggestion),
        RecordKind(
            name: "conversation", plural: "conversations", members: ImportShapes.conversation.members,
            read: conversation),
        RecordKind(name: "message", plural: "messages", members: ImportShapes.message.members, read: message),
        RecordKind(
            name: "blocked_writer", plural: "blocked_writers", members: ImportShapes.blockedWriter.members,
            read: blockedWriter),
        RecordKind(
            name: "policy_activation", plural: "policy_activations", members: ImportShapes.activation.members,
            read: policyActivation),
    ]

    /// By the name of one record.
    static let kinds = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Those that rows of tables can stand for.
    static let ofTables = all.filter { $0.name != "policy_activation" }
}
