import Circulation
import Desk
import LuaRuntime
import LuaSyntax
import Scripting
import TextFormats

/// What a test says of its library: `desk { now =, time_zone =, currency =, calendar =, patrons = {}, copies = {} }`.
struct PolicyTestLibrary {
    let now: Instant
    let zone: Zone
    let currency: Currency
    let calendar: OpeningCalendar
    private let patrons: [(name: String, setting: LuaTable)]
    private let copies: [(name: String, setting: LuaTable)]
    private let own: CustomFields
    /// Codes that the library has beside those that patrons and copies name.
    private let branches: [String]
    private let categories: [String]
    private let itemTypes: [String]

    private static let fields = [
        "now", "time_zone", "currency", "calendar", "patrons", "copies", "branches", "categories", "item_types",
    ]

    /// - Parameter fields: those of the library's own, which patrons and copies have by their names.
    init(_ setting: LuaTable, fields: CustomFields) throws {
        own = fields
        try PolicyTestLibrary.check(setting, "desk", PolicyTestLibrary.fields)
        do {
            zone = try setting["time_zone"].stringValue.map { try Zone(named: $0) } ?? .utc
            currency = try setting["currency"].stringValue.map { try Currency(named: $0) } ?? .eur
            let week = setting["calendar"]
            calendar = week.isNil ? .alwaysOpen : try OpeningCalendar(json: JSON(plain: week) ?? .null)
        } catch let error as TimeError {
            throw LuaHostError("desk: \(error.message)")
        } catch let error as MoneyError {
            throw LuaHostError("desk: \(error.message)")
        }
        let text = setting["now"].dateValue.map(\.description) ?? setting["now"].stringValue ?? "2026-01-15T12:00:00"
        guard let now = setting["now"].instantValue ?? PolicyTestLibrary.moment(text, in: zone) else {
            throw LuaHostError("desk: now is a date or a time such as \"2026-01-15T10:00\", not \"\(text)\"")
        }
        self.now = now
        patrons = try PolicyTestLibrary.named(setting["patrons"], "patrons", short: "category")
        copies = try PolicyTestLibrary.named(setting["copies"], "copies", short: "item_type")
        func codes(_ field: String) throws -> [String] {
            let list = setting[field].isNil ? [] : setting[field].tableValue?.array.map(\.stringValue)
            guard let list, !list.contains(nil) else {
                throw LuaHostError("desk: \(field) is a list of codes, such as { \"north\" }")
            }
            return list.compactMap(\.self)
        }
        (branches, categories, itemTypes) = (try codes("branches"), try codes("categories"), try codes("item_types"))
    }

    /// A time, or noon of a date, as it is read at the branch.
    static func moment(_ text: String, in zone: Zone) -> Instant? {
        if let date = try? CivilDate(parsing: text), let noon = try? CivilTime(hour: 12, minute: 0) {
            return zone.instant(of: date, noon)
        }
        return try? Instant(parsing: text, in: zone)
    }

    func fill(_ session: DeskSession) throws {
        _ = try session.settings.setLibrary(name: "Library", zone: zone, currency: currency).orRaise()
        guard let branch = try session.settings.branches().first else { return }
        _ = try session.settings.changeCalendar(of: branch.code) { $0 = calendar }.orRaise()
        for code in branches { _ = try self.code(.string(code), branch, session) }
        for code in categories { try addCategory(code, session) }
        for code in itemTypes { try addItemType(code, session) }
        for patron in patrons { try add(patron.name, patron.setting, branch, session) }
        for copy in copies { try addCopy(copy.name, copy.setting, branch, session) }
    }

    private func add(_ name: String, _ setting: LuaTable, _ branch: Branch, _ session: DeskSession) throws {
        try PolicyTestLibrary.check(
            setting, "patron \(name)",
            [
                "category", "name", "surname", "email", "phone", "home_branch", "birth_date", "expires_on", "language",
                "role", "extra",
            ] + own[.patron].map(\.name))
        let category = setting["category"].stringValue ?? "patron"
        try addCategory(category, session)
        let patron = Patron(
            username: name, name: setting["name"].stringValue ?? name, surname: setting["surname"].stringValue ?? name,
            email: setting["email"].stringValue ?? "\(name)@example.org", phone: setting["phone"].stringValue,
            category: category, homeBranch: try code(setting["home_branch"], branch, session),
            language: setting["language"].stringValue,
            birthDate: try date(setting["birth_date"], "birth_date"),
            expiresOn: try date(setting["expires_on"], "expires_on"), role: try role(setting["role"]),
            extra: extra(setting, .patron))
        _ = try session.patrons.add(patron).orRaise()
    }

    private func addCategory(_ code: String, _ session: DeskSession) throws {
        guard try session.settings.category(code) == nil else { return }
        _ = try session.settings.addCategory(Circulation.Category(code: code, name: code)).orRaise()
    }

    private func addItemType(_ code: String, _ session: DeskSession) throws {
        guard try session.settings.itemType(code) == nil else { return }
        _ = try session.settings.addItemType(ItemType(code: code, name: code)).orRaise()
    }

    /// The code of a branch that a test names, which is there from then on, open as the first one is.
    private func code(_ value: LuaValue, _ first: Branch, _ session: DeskSession) throws -> String {
        let code = value.stringValue ?? first.code
        if try session.settings.branch(code) == nil {
            _ = try session.settings.addBranch(Branch(code: code, name: code, calendar: calendar)).orRaise()
        }
        return code
    }

    private func role(_ value: LuaValue) throws -> Patron.Role {
        if value.isNil { return .patron }
        guard let role = value.stringValue.flatMap(Patron.Role.init) else {
            let words = Patron.Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw LuaHostError("desk: a patron's role is one of \(words)")
        }
        return role
    }

    private func addCopy(_ name: String, _ setting: LuaTable, _ branch: Branch, _ session: DeskSession) throws {
        try PolicyTestLibrary.check(
            setting, "copy \(name)",
            [
                "item_type", "branch", "title", "isbn", "replacement_price", "location", "acquired_on",
                "courses", "extra",
            ]
                + (own[.title] + own[.copy]).map(\.name))
        let itemType = setting["item_type"].stringValue ?? "book"
        try addItemType(itemType, session)
        let title = setting["title"].stringValue ?? name
        let known = try session.catalogue.find(title: title, authors: ["Anonymous"], year: nil)
        let record = try known ?? session.catalogue.add(record(title, setting)).orRaise()
        _ = try session.catalogue.addCopies(
            of: .id(record.id), count: 1, branch: code(setting["branch"], branch, session), itemType: itemType,
            barcodes: [name], replacementPrice: setting["replacement_price"].moneyValue,
            location: setting["location"].stringValue, acquiredOn: date(setting["acquired_on"], "acquired_on"),
            extra: given(setting, .copy)
        ).orRaise()
    }

    private func record(_ name: String, _ setting: LuaTable) throws -> Title {
        let courses = setting["courses"].tableValue?.array.compactMap(\.stringValue) ?? []
        do {
            return Title(
                isbn: try setting["isbn"].stringValue.map { try ISBN($0) }, title: name, authors: ["Anonymous"],
                courses: courses.map { Course(code: $0) }, extra: extra(setting, .title))
        } catch {
            throw LuaHostError("desk: \(error)")
        }
    }

    /// The fields of the library's own that are given by name.
    private func given(_ setting: LuaTable, _ owner: CustomField.Owner) -> JSONObject {
        var given = JSONObject()
        for field in own[owner] {
            given[field.name] = setting[field.name].isNil ? field.standard : JSON(plain: setting[field.name])
        }
        return given
    }

    private func extra(_ setting: LuaTable, _ owner: CustomField.Owner) -> JSONObject {
        var extra = JSON(plain: setting["extra"])?.objectValue ?? [:]
        for entry in given(setting, owner) { extra[entry.key] = entry.value }
        return extra
    }

    private func date(_ value: LuaValue, _ field: String) throws -> CivilDate? {
        if value.isNil { return nil }
        guard let date = value.dateValue ?? value.stringValue.flatMap({ try? CivilDate(parsing: $0) }) else {
            throw LuaHostError("desk: \(field) must be a date such as \"2012-05-01\"")
        }
        return date
    }

    /// Entries by name; a text as the value stands for the field it is short for.
    private static func named(
        _ value: LuaValue, _ field: String, short: String
    ) throws -> [(name: String, setting: LuaTable)] {
        if value.isNil { return [] }
        guard let table = value.tableValue else { throw LuaHostError("desk: \(field) must be a table") }
        return try table.entries.map { key, value in
            guard let name = key.stringValue else {
                throw LuaHostError("desk: \(field) are named: \(field) = { ada = \"staff\" }")
            }
            if let text = value.stringValue { return (name, LuaTable(fields: [short: .string(text)])) }
            guard let setting = value.tableValue else {
                throw LuaHostError("desk: \(field).\(name) must be a text or a table")
            }
            return (name, setting)
        }
    }

    private static func check(_ table: LuaTable, _ what: String, _ known: [String]) throws {
        for entry in table.entries {
            let name = entry.key.stringValue ?? entry.key.description
            guard !known.contains(name) else { continue }
            let nearest = NameSuggestion.nearest(to: name, among: known).map { "; did you mean '\($0)'?" }
            throw LuaHostError(
                "desk: \(what) has no field '\(name)'\(nearest ?? " (there are \(known.joined(separator: ", ")))")")
        }
    }
}
