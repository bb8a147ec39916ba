import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// What the library says of itself, for administrators: its name, branches, categories of patrons, types of items and the names of
/// its shelving locations.
enum SettingsPages: PageGroup {
    static let templates = [PageTemplate("settings", PackageResources.settings_mustache)]

    private static let path = "/desk/settings"

    /// One kind of what is declared under codes.
    private struct Kind {
        let title: Phrase
        /// Whether they have parents.
        let isNested: Bool
        let pages: RecordPages

        /// - Parameter parent: what its parent is; nil: it has none.
        init(
            _ title: Phrase, one: Phrase, path: String, argument: String, parent: Phrase? = nil,
            code hint: Phrase = "A short code for policies and files. It cannot be changed later.",
            removal warning: Phrase = "This is not possible while anything belongs to it.",
            more: [RecordForm.Entry] = []
        ) {
            var named = [RecordForm.Entry(name: "name", label: "Name", isRequired: true)]
            if let parent { named.append(.init(name: "parent", label: parent, mayBeNone: true)) }
            named += more
            let code = RecordForm.Entry(name: "code", label: "Code", hint: hint)
            self.title = title
            isNested = parent != nil
            pages = RecordPages(
                one: one, base: "/desk\(path)", key: "code", access: .admin,
                add: RecordForm(verb: .post, path: path, entries: [code] + named),
                change: RecordForm(verb: .patch, path: "\(path)/{\(argument)}", entries: named),
                removal: RecordPages.Removal(button: "Remove", warning: warning, done: "has been removed"),
                name: { PageWords.safe($0["name"]) ?? "" }, page: { _ in SettingsPages.path }, list: SettingsPages.path,
                completed: { members, call in
                    var members = members
                    if call.form["parent"] != nil, call.form.text("parent") == nil { members["without_parent"] = true }
                    return members
                })
        }
    }

    private static let kinds = [
        Kind(
            "Branches", one: "branch", path: "/branches", argument: "branch", parent: "Part of",
            more: [
                .init(
                    name: "time_zone", label: "Time zone",
                    hint: "For example, Europe/Berlin. Leave empty to use the library's.")
            ]),
        Kind(
            "Patron categories", one: "category", path: "/categories", argument: "category", parent: "Belongs to"),
        Kind("Item types", one: "item type", path: "/item-types", argument: "item_type", parent: "Belongs to"),
        Kind(
            "Shelving locations", one: "location", path: "/locations", argument: "location",
            code: "The location code of copies, also used in policies and files. It cannot be changed later.",
            removal: "This is not possible while copies have this location."),
    ]

    static let pages =
        kinds.flatMap { $0.pages.pages } + [
            Page.shown(path, .admin, view),
            Page.form(path, .admin, again: view) { call in
                let zone = try read("time_zone", say("a time zone, such as Europe/Berlin"), call) {
                    try Zone(named: $0)
                }
                let currency = try read("currency", say("a currency code, such as EUR"), call) {
                    try Currency(named: $0)
                }
                guard let name = call.form.text("name") else {
                    throw Problem.input("The library needs a name.", argument: "name")
                }
                let words = call.form["reserved_names"]?.split(whereSeparator: \.isNewline).map {
                    String($0).trimmingSpaces()
                }
                let outcome = try call.context.write {
                    try $0.settings.setLibrary(
                        name: name, zone: zone, currency: currency, reservedNames: words?.filter { !$0.isEmpty },
                        hasRatings: call.form["ratings"].map { $0 == "yes" }, gatheredKinds: gathered(call))
                }
                switch outcome {
                case .done: return .done(to: path, saying: say("The settings have been saved."))
                case .refused(let refusal):
                    return .refused(
                        ["code": .string(refusal.code), "message": .string(refusal.message)], back: path)
                }
            },
        ]

    /// The kinds that were ticked; nil: the form did not ask.
    private static func gathered(_ call: PageCall) -> Set<GatheredKind>? {
        guard call.form["gathers"] != nil else { return nil }
        return Set(GatheredKind.allCases.filter { call.form["gathered_\($0.rawValue)"] != nil })
    }

    private static func read<Value>(
        _ name: String, _ expected: String, _ call: PageCall, _ value: (String) throws -> Value
    ) throws -> Value? {
        guard let text = call.form.text(name) else { return nil }
        guard let value = try? value(text) else {
            throw Problem.input("'\(name)' must be \(expected).", argument: name)
        }
        return value
    }

    private static func view(_ call: PageCall) throws -> PageView {
        let library = call.library
        let values = [
            "name": library.name, "time_zone": library.zone.identifier, "currency": library.currency.code,
            "reserved_names": library.reservedNames.joined(separator: "\n"),
            "ratings": library.hasRatings ? "yes" : "no",
        ]
        let inputs = PageField.inputs(
            [
                PageField(name: "name", label: "Name of the library", isRequired: true),
                PageField(name: "time_zone", label: "Time zone", hint: "For example, Europe/Berlin.", isRequired: true),
                PageField(
                    name: "currency", label: "Currency", most: 3,
                    hint: "Cannot be changed once any account has an entry.",
                    isRequired: true),
                PageField(
                    name: "reserved_names", label: "Words reserved for the library", kind: .lines, most: 5000,
                    hint: "One per line. Members cannot choose a name that begins with one of them."),
                PageField(
                    name: "ratings", label: "Let members rate titles",
                    choices: [(value: "yes", name: say("Yes")), (value: "no", name: say("No"))]),
            ], call
        ) { values[$0] }
        let ticked = call.request.method == "POST" ? gathered(call) ?? library.gatheredKinds : library.gatheredKinds
        var view = PageView(
            template: "settings", title: say("Library"),
            fields: [
                "path": path, "inputs": inputs,
                "gathered": GatheredKind.allCases.map { kind -> [String: Any] in
                    ["value": kind.rawValue, "words": say(Phrase(kind.words)), "isTicked": ticked.contains(kind)]
                },
                "kinds": try kinds.map { kind -> [String: Any] in
                    let base = kind.pages.base
                    let entries = try call.list(String(base.dropFirst("/desk".count)))
                    let names = Dictionary(
                        entries.map { ($0["code"]?.stringValue ?? "", PageWords.safe($0["name"]) ?? "") }
                    ) { first, _ in first }
                    return [
                        "kind": say(kind.title), "anchor": base.split(separator: "/").last.map(String.init) ?? "",
                        "add": "\(base)/new", "one": say(kind.pages.one),
                        "isNested": kind.isNested,
                        "entries": entries.map { row($0, base, names) },
                    ]
                },
            ])
        view.fields["noPolicy"] = try PolicyStart.notice(call)
        return view
    }

    private static func row(_ entry: JSON, _ base: String, _ names: [String: String]) -> [String: Any] {
        let code = entry["code"]?.stringValue ?? ""
        var row: [String: Any] = [
            "code": PageWords.safe(code), "name": PageWords.safe(entry["name"]) ?? "",
            "link": "\(base)/\(PageCall.segment(code))/edit",
            "parent": entry["parent"]?.stringValue.flatMap { names[$0] } ?? "",
        ]
        if base.hasSuffix("branches") { row["calendar"] = "/desk/calendar/\(PageCall.segment(code))" }
        return row
    }
}
