import Circulation
import TextFormats

/// The values of an object that was checked against its record; what is missing is nil, and so is null.
struct SchemaValues {
    let object: JSONObject

    init(_ object: JSONObject = [:]) { self.object = object }

    subscript(name: String) -> JSON? {
        guard let value = object[name], !value.isNull else { return Optional<JSON>.none }
        return value
    }

    /// Whether the field is there, null included.
    func has(_ name: String) -> Bool { object[name] != nil }

    func text(_ name: String) -> String? { self[name]?.stringValue }

    func flag(_ name: String) -> Bool? { self[name]?.boolValue }

    func number(_ name: String) -> Int64? { self[name]?.integerValue }

    /// A number of things, which fits.
    func count(_ name: String) -> Int? { number(name).map { Int(clamping: $0) } }

    func money(_ name: String) -> Money? { self[name].flatMap(Self.money) }

    func period(_ name: String) -> Period? { text(name).flatMap(PeriodWords.period) }

    func date(_ name: String) -> CivilDate? { text(name).flatMap { try? CivilDate(parsing: $0) } }

    func record(_ name: String) -> SchemaValues? { self[name]?.objectValue.map { SchemaValues($0) } }

    func records(_ name: String) -> [SchemaValues] { list(name).compactMap(\.objectValue).map { SchemaValues($0) } }

    func list(_ name: String) -> [JSON] { self[name]?.arrayValue ?? [] }

    /// A text, or several.
    func texts(_ name: String) -> [String] { text(name).map { [$0] } ?? list(name).compactMap(\.stringValue) }

    func map(_ name: String) -> [(name: String, value: JSON)] {
        (self[name]?.objectValue?.entries ?? []).map { ($0.key, $0.value) }
    }

    static func money(_ value: JSON) -> Money? {
        value.stringValue.flatMap { try? Money(parsing: $0, currency: .eur) }
    }
}
