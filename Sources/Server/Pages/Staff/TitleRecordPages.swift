import Circulation
import Languages
import Scripting
import TextFormats

/// Titles and copies are added, changed and taken out.
enum TitleRecordPages: PageGroup {
    private static let entries: [RecordForm.Entry] = [
        .init(name: "title", label: "Title", isRequired: true),
        .init(name: "isbn", label: "ISBN", hint: "10 or 13 digits. Leave empty if it has none."),
        .init(name: "authors", label: "Authors", hint: "One per line, in the order of the title page."),
        .init(name: "publisher", label: "Publisher"), .init(name: "year", label: "Year"),
        .init(name: "edition", label: "Edition"), .init(name: "series", label: "Series"),
        .init(name: "series_number", label: "Volume in the series"),
        .init(name: "language", label: "Language", hint: "A code such as en or de."),
        .init(name: "genres", label: "Genres", hint: "One per line."),
        .init(name: "subjects", label: "Subjects", hint: "One per line."),
        .init(name: "college", label: "College"), .init(name: "description", label: "Description", kind: .lines),
        .init(name: "cover_url", label: "Web address of the cover", kind: .url),
        .init(name: "preview_url", label: "Web address of a preview", kind: .url),
        .init(name: "stars", label: "Stars", hint: "From 0 to 5."),
        .init(name: "recommended", label: "Recommended by the library", standard: "false"),
    ]

    static let titles = RecordPages(
        one: "title", base: "/desk/titles", key: "title", access: .staff,
        add: RecordForm(verb: .post, path: "/titles", owner: .title, entries: entries),
        change: RecordForm(verb: .patch, path: "/titles/{title}", owner: .title, entries: entries),
        removal: RecordPages.Removal(
            button: "Remove the title", warning: "Its copies are removed as well. Past loans stay in the statistics.",
            done: "has been removed"),
        name: { PageWords.safe($0["title"]) ?? say("Untitled") },
        page: { "/desk/titles/\($0["id"]?.integerValue ?? 0)" },
        list: "/desk/titles", lookUp: TitleLookUp.path,
        filled: { call in
            guard let text = call.query.text("isbn"), let isbn = try? ISBN(text) else { return [:] }
            return ["isbn": isbn.digits13]
        })

    private static let locationHint: Phrase =
        "Where in the branch, in the library's own terms, such as reference or new books."

    private static let callNumberHint: Phrase = "As the spine label has it: 823.912 TOL."

    static let copies = RecordPages(
        one: "copy", base: "/desk/copies", key: "copy", access: .staff,
        change: RecordForm(
            verb: .patch, path: "/copies/{barcode}", owner: .copy,
            entries: [
                .init(name: "barcode", label: "Barcode", isRequired: true),
                .init(name: "branch", label: "Branch"), .init(name: "item_type", label: "Item type"),
                .init(name: "status", label: "Status"),
                .init(
                    name: "replacement_price", label: "Replacement price",
                    hint: "Charged for a lost copy. Leave empty to use what the policy says."),
                .init(name: "location", label: "Location", hint: locationHint, offered: .location),
                .init(name: "call_number", label: "Call number", hint: callNumberHint),
                .init(name: "acquired_on", label: "Acquired on"),
            ]),
        removal: RecordPages.Removal(
            button: "Withdraw the copy",
            warning: "The copy is taken out of the collection. Past loans stay in the statistics.",
            done: "has been withdrawn"),
        name: { say("Copy \(PageWords.safe($0["barcode"]) ?? "")") },
        page: { "/desk/titles/\($0["title"]?.integerValue ?? 0)" })

    static let pages = titles.pages + [TitleLookUp.page] + copies.pages

    /// The form of new copies of a title.
    static let newCopies = RecordForm(
        verb: .post, path: "/titles/{isbn}/copies", owner: .copy,
        entries: [
            .init(name: "barcodes", label: "Barcodes", hint: "One per line. Leave empty to have them generated."),
            .init(name: "count", label: "How many", hint: "Used if no barcodes are given.", standard: "1"),
            .init(name: "branch", label: "Branch"), .init(name: "item_type", label: "Item type", standard: "book"),
            .init(name: "replacement_price", label: "Replacement price"),
            .init(name: "location", label: "Location", hint: locationHint, offered: .location),
            .init(name: "call_number", label: "Call number", hint: callNumberHint),
            .init(name: "acquired_on", label: "Acquired on"),
        ])
}
