import Circulation
import Storage
import TextFormats

/// The fields that plugins add to patrons, titles and copies: their values are checked here, by whatever way they come.
struct CustomFieldService {
    let session: DeskSession

    private var fields: CustomFields { get throws { try session.settingsSnapshot().customFields } }

    // MARK: - Writing

    /// The own fields of a record as they are to be written: references by ids, dates and amounts in their one form, and what a new
    /// record does not say. What was so before is not looked at again.
    ///
    /// - Parameter before: nil for a new record.
    /// - Throws: ``DeskError`` that names the field and says what was expected; ``Refused`` with `unknown_patron`,
    ///   `unknown_title` or `unknown_branch`.
    func checked(
        _ extra: JSONObject, before: JSONObject?, of owner: CustomField.Owner
    ) throws -> JSONObject {
        var extra = extra
        for field in try fields[owner] {
            let (given, was) = (extra[field.name], before?[field.name])
            if let given, !given.isNull {
                if given != was { extra[field.name] = try value(of: field, given) }
            } else if before == nil, let standard = field.standard {
                extra[field.name] = try value(of: field, standard)
            } else {
                extra[field.name] = nil
                guard !field.isRequired || before != nil && was == nil else {
                    throw DeskError.input(field.name, "'\(field.name)' is required: \(field.expected).")
                }
            }
        }
        return extra
    }

    private func value(of field: CustomField, _ given: JSON) throws -> JSON {
        let currency = try session.settingsSnapshot().library.currency
        do {
            let value = try field.value(given, currency: currency).json
            return field.kind.isReference ? try known(value, field) : value
        } catch let fault as CustomFieldFault {
            throw DeskError.input(field.name, "\(fault).")
        }
    }

    /// The key of what a field refers to.
    private func known(_ value: JSON, _ field: CustomField) throws -> JSON {
        let transaction = session.transaction
        let key: JSON? =
            switch (field.kind, value) {
            case (.patron, .integer(let id)): try transaction.patrons.get(id) == nil ? nil : value
            case (.patron, .string(let name)): try transaction.patrons.find(username: name).map { .integer($0.id) }
            case (.title, .integer(let id)): try transaction.titles.get(id) == nil ? nil : value
            case (.title, .string(let text)):
                try (try? ISBN(text)).flatMap { try transaction.titles.find($0) }.map { .integer($0.id) }
            case (.branch, .string(let code)): try session.settings.branch(code) == nil ? nil : value
            default: value
            }
        if let key { return key }
        let what = field.kind.rawValue
        throw Refused(
            Refusal(
                code: "unknown_\(what)", message: "'\(field.name)' does not name a known \(what).",
                figures: ["field": .string(field.name)]))
    }

    /// Sets a field of a record that is there.
    func set(_ field: CustomField, of id: Int64, to given: JSON) throws {
        try change(field, of: id) { _ in try value(of: field, given) }
    }

    // MARK: - What is gone

    /// Takes a record that goes out of the fields that refer to it.
    ///
    /// - Parameter other: what they refer to from then on; nil: nothing.
    func forget(_ kind: CustomField.Kind, _ id: Int64, for other: Int64? = nil) throws {
        for field in try fields.all where field.kind == kind {
            for holder in try session.transaction.customFields.holders(of: field, id: id) {
                if kind.rawValue == field.owner.rawValue, holder == id { continue }
                let isOwn = kind.rawValue == field.owner.rawValue && holder == other
                try change(field, of: holder) { _ in isOwn ? nil : other.map { .integer($0) } }
            }
        }
    }

    /// Writes a field of a record as what follows from something else.
    private func change(_ field: CustomField, of id: Int64, _ change: (JSON?) throws -> JSON?) throws {
        let transaction = session.transaction
        func changed(_ extra: JSONObject) throws -> JSONObject {
            var extra = extra
            extra[field.name] = try change(extra[field.name])
            return extra
        }
        try session.asConsequence {
            switch field.owner {
            case .patron:
                guard let before = try transaction.patrons.get(id) else { return }
                var patron = before
                patron.extra = try changed(before.extra)
                if patron == before { return }
                try session.record(
                    .patronUpdated, PatronChange(patron, fields: patron.changedPersonalFields(since: before)))
            case .title:
                guard let before = try transaction.titles.get(id) else { return }
                var title = before
                title.extra = try changed(before.extra)
                if title != before { try session.record(.titleUpdated, title) }
            case .copy:
                guard let before = try transaction.copies.get(id) else { return }
                var copy = before
                copy.extra = try changed(before.extra)
                if copy != before { try session.record(.copyUpdated, copy) }
            }
        }
    }

    // MARK: - Declarations

    /// Has the fields of the versions hold that are in force from now on. Values that stand under their names already are brought
    /// into form.
    ///
    /// - Parameters:
    ///   - before: what was in force.
    ///   - plugin: what came into force; nil: nothing.
    /// - Throws: ``Refused`` with `field_taken` where another plugin declares a field otherwise, and with `field_values` where
    ///   records have values of another type under its name.
    func apply(since before: CustomFields, for plugin: Plugin?) throws {
        let plugins = session.transaction.plugins
        if let plugin {
            let own = try plugins.customFields(of: plugin.sha256, plugin: plugin.name)
            for other in try own.isEmpty ? [] : plugins.list() where other.name != plugin.name {
                let taken = try plugins.customFields(of: other.sha256, plugin: other.name)
                for field in own { try check(field, among: taken) }
            }
        }
        let now = try plugins.customFields()
        guard now != before else { return }
        try plugins.customFieldsChanged()
        session.forgetSettings()
        for field in now.all where before.field(field.owner, field.name).map({ !$0.isAlike(field) }) ?? true {
            try adopt(field)
        }
    }

    private func check(_ field: CustomField, among others: [CustomField]) throws {
        let same = others.first { ($0.owner, $0.name) == (field.owner, field.name) }
        guard let same, !same.isAlike(field) else { return }
        throw Refused(
            "field_taken",
            "The plugin '\(same.plugin)' declares '\(field.name)' of a \(field.owner.rawValue) differently: "
                + "\(same.expected)."
        )
    }

    private func adopt(_ field: CustomField) throws {
        var odd: [Int64] = []
        for id in try session.transaction.customFields.speaking(of: field) {
            do {
                try change(field, of: id) { try $0.map { try value(of: field, $0) } }
            } catch is DeskError, is Refused {
                odd.append(id)
            }
        }
        guard let first = odd.first else { return }
        let what = field.owner.rawValue
        let name = field.owner == .copy ? try session.transaction.copies.get(first)?.barcode : nil
        let number = odd.count == 1 ? "1 \(what) has" : "\(odd.count) \(field.owner.table) have"
        throw Refused(
            "field_values",
            "\(number) something else under '\(field.name)' than \(field.expected), such as \(what) \(name ?? String(first))."
        )
    }
}
