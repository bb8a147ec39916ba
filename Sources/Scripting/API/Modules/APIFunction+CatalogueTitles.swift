import Circulation
import Desk
import LuaRuntime
import TextFormats

// Writing titles.
extension APIFunction {
    /// What a title may be given, beside its ISBN and its title.
    private static let titleFields: [APIParameter] = [
        .optional("authors", .list(.text), "in the order of the title page"),
        .clearable("publisher", .text),
        .clearable("year", .integer(-9999...9999), "negative before the common era"),
        .clearable("language", .text(maximum: 20), "an ISO 639 code"),
        .optional("genres", .list(.text)),
        .optional("subjects", .list(.text)),
        .optional(
            "courses",
            .list(.fields([.required("code", .text(maximum: 100)), .optional("name", .text)])),
            "courses that use it"),
        .clearable("college", .text),
        .clearable("edition", .text),
        .clearable("series", .text(maximum: 1000), "the series that it is a volume of"),
        .clearable("series_number", .text(maximum: 100), "which volume, as the title page has it"),
        .clearable("description", .longText),
        .clearable("cover_url", .text),
        .clearable("preview_url", .text),
        .clearable("stars", .integer(0...5)),
        .optional("recommended", .boolean, "chosen by the library"),
        .extra(of: .title),
    ]

    static let catalogueAdd = APIFunction(
        "add", "Adds a title; copies are added by `add_copies`.",
        .named(
            "title",
            [
                .required("title", .text),
                .optional("isbn", .text(maximum: 20), "10 or 13 digits; a title may have none"),
            ] + titleFields),
        returns: .written(.record("title")), refusals: ["exists"], needs: .catalogueWrite,
        route: .init(.post, "/titles", .staff, creates: true),
        examples: APIExample(
            #"catalogue.add{ title = "Emma", authors = { "Jane Austen" }, isbn = "0141439580" }.isbn"#,
            #""9780141439587""#)
    ) { call in
        var title = Title(title: try call.arguments.need("title"))
        if let isbn: String = call.arguments["isbn"] { title.isbn = try ISBN(isbn) }
        try call.change(&title, by: call.arguments)
        return try call.write { session in
            try call.answer(try session.catalogue.add(title)) { APIRecord.title.table(try session.counted($0)) }
        }
    }

    static let catalogueUpdate = APIFunction(
        "update", "Changes what is given of a title; the rest stays. `none` takes away what may be nil.",
        [
            .required("title", .reference(.title), "which title"),
            .required(
                "changes",
                .fields(
                    [
                        .optional("title", .text), .clearable("isbn", .text(maximum: 20), "10 or 13 digits"),
                    ] + titleFields), "the fields that change"),
        ],
        returns: .written(.record("title")), refusals: ["unknown_title", "exists"], needs: .catalogueWrite,
        route: .init(.patch, "/titles/{title}", .staff),
        examples: APIExample(#"catalogue.update("9780441013593", { stars = 5 }).stars"#, "5")
    ) { call in
        let key = try call.titleKey("title")
        let changes: APIArguments = try call.arguments.need("changes")
        return try call.write { session in
            let outcome = try session.catalogue.update(key) { title in
                if let text: String = changes["title"] { title.title = text }
                title.isbn = try changes.changed("isbn", title.isbn?.digits13).map { try ISBN($0) }
                try call.change(&title, by: changes)
            }
            return try call.answer(outcome) { APIRecord.title.table(try session.counted($0)) }
        }
    }

    static let catalogueEnrich = APIFunction(
        "enrich", "Completes a title by what services that know books say of its ISBN.",
        details:
            "Description, cover, preview, year and subjects are filled in where the title has none, and the number of pages as "
            + "`extra.pages`. The services are asked outside of any transaction and their answers kept for some time; within "
            + "`store.transaction` and in a dry run no service is asked, and what was answered before counts. Which services these "
            + "are stands in `[book_data]` of `moonshelf.toml`.",
        [
            .required("isbn", .reference(.title)),
            .optional("replace", .boolean, "what the title says already is replaced as well", standard: "false"),
        ],
        returns: .written(.record("title")),
        refusals: ["unknown_title", "no_isbn", "book_data_off", "book_data_unreachable", "no_book_data"],
        needs: .catalogueWrite, route: .init(.post, "/titles/{isbn}/enrich", .staff, isBeside: true),
        examples: APIExample(
            #"catalogue.enrich("9780441013593").description"#, #""Set on the desert planet Arrakis.""#),
        APIExample(#"select(2, catalogue.enrich("9780261103344")).code"#, #""no_book_data""#)
    ) { call in
        let key = try call.titleKey("isbn")
        let replaces = call.arguments["replace"] ?? false
        let outcome = try call.script.enrich(key, replacing: replaces)
        return try call.read { session in
            try call.answer(outcome) { APIRecord.title.table(try session.counted($0)) }
        }
    }

    static let catalogueMARC = APIFunction(
        "marc", "The MARC record that a title came from, to the letter.",
        details:
            "A table as MARC-in-JSON has it: `leader`, and `fields`, a list of tables with the tag as the one key, under which stands the "
            + "value of a control field, or `ind1`, `ind2` and `subfields`. nil for a title that came from elsewhere.",
        [.required("title", .reference(.title))],
        returns: .found(.json), route: .init(.get, "/titles/{title}/marc", .staff),
        examples: APIExample(#"catalogue.marc("9780441013593")"#, "nil")
    ) { call in
        let key = try call.titleKey("title")
        return try call.read { session in
            let title = try session.catalogue.get(key)
            return [try title.flatMap { try session.catalogue.marc(of: $0.id) }.map { .json(.object($0)) } ?? .nil]
        }
    }

    static let catalogueRemove = APIFunction(
        "remove", "Removes a title with its copies. Past loans stay in the statistics.",
        [.required("title", .reference(.title))],
        returns: .written(.record("title")), refusals: ["unknown_title", "on_loan"], needs: .catalogueWrite,
        route: .init(.delete, "/titles/{title}", .staff),
        examples: APIExample(#"catalogue.remove("9780141439518").title"#, #""Pride and Prejudice""#),
        APIExample(#"select(2, catalogue.remove("9780441013593")).code"#, #""on_loan""#)
    ) { call in
        let key = try call.titleKey("title")
        return try call.write { session in
            // Counted before: afterwards nothing is left to count.
            let before = try session.catalogue.get(key).map { try session.counted($0) }
            return call.answer(try session.catalogue.remove(key)) { title in
                APIRecord.title.table(
                    CountedTitle(
                        title: title, counts: before?.counts ?? CopyCounts(copies: 0, available: 0, onLoan: 0),
                        ratings: before?.ratings))
            }
        }
    }

    static let catalogueRemoveAll = APIFunction(
        "remove_all", "Removes every title and copy.",
        .named("options", .required("confirm", .boolean, "must be true")),
        returns: .written(.count), refusals: ["on_loan"], needs: .catalogueWrite,
        examples: APIExample("select(2, catalogue.remove_all{ confirm = true }).code", #""on_loan""#)
    ) { call in
        guard try call.arguments.need("confirm") else { throw call.fault("'confirm' must be true") }
        return try call.write { call.answer(try $0.catalogue.removeAll()) { .integer(Int64($0)) } }
    }
}
