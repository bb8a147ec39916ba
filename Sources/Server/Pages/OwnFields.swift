import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// The fields of the library's own as pages show them: by their labels, in words.
enum OwnFields {
    /// - Parameter withPatrons: whether what refers to patrons is shown, as it is to staff alone.
    /// - Throws: what the store throws.
    static func shown(
        _ record: JSON, _ owner: CustomField.Owner, _ call: PageCall, withPatrons: Bool = false
    ) throws -> [[String: Any]] {
        try call.context.api.fields[owner].compactMap { field in
            guard let value = record[field.name], withPatrons || field.kind != .patron,
                let words = try words(value, field, call)
            else { return nil }
            return ["name": PageWords.safe(field.label), "value": words]
        }
    }

    private static func words(_ value: JSON, _ field: CustomField, _ call: PageCall) throws -> String? {
        switch field.kind {
        case .text: PageWords.safe(value)
        case .integer, .number: value.text()
        case .boolean: value == true ? say("Yes") : say("No")
        case .date: call.words.date(value)?["words"] as? String
        case .money: PageWords.money(value)
        case .patron: try PatronFields.name(of: value.integerValue, call)
        case .title: try call.titleName(value.integerValue ?? 0).map { PageWords.safe($0) }
        case .branch: try call.branchName(value.stringValue).map { PageWords.safe($0) }
        }
    }
}
