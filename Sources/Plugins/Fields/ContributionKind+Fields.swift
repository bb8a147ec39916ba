package import Circulation
import LuaSyntax
import Scripting
import TextFormats

extension ContributionKind {
    /// Fields that a plugin adds to records: `fields = { patron = { guardian = { type = "patron" } } }`.
    package static let fields = ContributionKind(
        "fields", "a field", .nested,
        [
            Field("type", .oneOf(CustomField.Kind.allCases.map(\.rawValue)), isRequired: true), Field("label", .text),
            Field("help", .text), Field("values", .texts), Field("required", .flag), Field("default", .plain),
            Field("personal", .flag), Field("min", .number), Field("max", .number),
        ],
        problem: { entry in
            // What is wrong with the type was said where it stands.
            if entry.ranges["type"] != nil, entry.values["type"] == nil { return nil }
            do throws(CustomFieldFault) {
                _ = try CustomField(entry)
                return nil
            } catch {
                return error.description
            }
        })
}

extension PluginManifest {
    /// The fields that it adds to records, those that are declared rightly.
    package var fields: [CustomField] {
        contributions(of: .fields).compactMap { entry in
            var field = try? CustomField(entry)
            field?.plugin = name
            return field
        }
    }
}

extension CustomField {
    /// The field of an entry such as `patron.guardian`.
    ///
    /// - Throws: ``CustomFieldFault`` that says what is wrong with it.
    fileprivate init(_ entry: Contribution) throws(CustomFieldFault) {
        let parts = entry.name.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let owner = Owner(rawValue: parts[0]) else {
            let owners = Owner.allCases.map(\.rawValue)
            let hint = NameSuggestion.nearest(to: parts.first ?? "", among: owners).map { "; did you mean '\($0)'?" }
            throw CustomFieldFault(
                "fields are those of a patron, a title or a copy, not of a '\(SafeText.line(parts.first ?? ""))'"
                    + (hint ?? ""))
        }
        let values = entry.values
        guard let kind = values["type"]?.stringValue.flatMap(Kind.init(rawValue:)) else {
            throw CustomFieldFault("'\(parts[1])' says its 'type'")
        }
        self.init(owner, parts[1], kind, label: values["label"]?.stringValue)
        help = values["help"]?.stringValue ?? ""
        self.values = values["values"]?.arrayValue?.compactMap(\.stringValue) ?? []
        isRequired = values["required"] == true
        standard = values["default"]
        (least, most) = (values["min"]?.doubleValue, values["max"]?.doubleValue)
        try checkName()
        try checkRange(hasValues: values["values"] != nil)
        if let personal = values["personal"]?.boolValue {
            // What events tell of a title or a copy stays told.
            guard owner == .patron || personal == isPersonal else {
                throw CustomFieldFault(
                    "'personal' is said of a patron's field; a reference to a patron is personal anyway")
            }
            isPersonal = personal
        }
        if let standard {
            guard !kind.isReference else { throw CustomFieldFault("a reference has no 'default'") }
            do throws(CustomFieldFault) { _ = try value(standard, currency: .eur) } catch {
                throw CustomFieldFault("the default: \(error)")
            }
        }
    }

    private func checkName() throws(CustomFieldFault) {
        let bytes = Array(name.utf8)
        let isName =
            bytes.first.map { $0 &- 0x61 < 26 } == true && bytes.count <= 40
            && bytes.allSatisfy { $0 &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F }
        let isWord = (try? LuaParser.parse("local \(name)", chunk: "name", maximumSize: 100)) == nil
        guard isName, !isWord else {
            throw CustomFieldFault(
                "'\(SafeText.line(name))' is no name of a field: lower-case letters, digits and _, at most 40, no word of Lua"
            )
        }
        guard !LibraryAPI.taken(owner).contains(name) else {
            throw CustomFieldFault("a \(owner.rawValue) has '\(name)' already")
        }
    }

    private func checkRange(hasValues: Bool) throws(CustomFieldFault) {
        guard least == nil && most == nil || kind == .integer || kind == .number else {
            throw CustomFieldFault("'min' and 'max' are said of a number")
        }
        if let least, let most, least > most { throw CustomFieldFault("'min' is greater than 'max'") }
        for bound in [least, most] where kind == .integer && bound.map({ Int64(exactly: $0) == nil }) == true {
            throw CustomFieldFault("'min' and 'max' of an integer are whole numbers")
        }
        guard !hasValues || kind == .text && !values.isEmpty && Set(values).count == values.count else {
            throw CustomFieldFault("'values' lists the texts that a text may be, each once")
        }
    }
}
