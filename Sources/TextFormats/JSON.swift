/// A JSON value (RFC 8259).
///
/// A number without fraction and exponent that fits 64 bits is an ``integer(_:)``, exactly; every other one is a
/// ``number(_:)``. The two never compare equal, so that what was read can be written back as it was.
package enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    /// The value under `key` if this is an object that has it.
    package subscript(key: String) -> JSON? {
        if case .object(let object) = self { object[key] } else { nil }
    }

    package var isNull: Bool { self == .null }

    package var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The integer, also of a ``number(_:)`` without a fraction that a 64-bit integer holds exactly.
    package var integerValue: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The number as a double; integers beyond 2^53 lose their last digits.
    package var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    package var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    package var arrayValue: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The value as JSON text.
    ///
    /// - Parameter pretty: two spaces of indentation a level and one member a line, instead of no white space at all.
    package func text(pretty: Bool = false) -> String {
        var writer = JSONWriter(pretty: pretty)
        writer.value(self)
        return writer.text
    }
}

extension JSON {
    /// The tree of what `body` writes, for values that know how to write themselves.
    package init(_ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        body(&writer)
        do {
            self = try JSONParser.parse(writer.bytes, maximumDepth: .max)
        } catch {
            assertionFailure("The writer was left with half a value: \(error.message)")
            self = .null
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(nilLiteral: ()) { self = .null }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// An object with the members in the order written; of a key written twice the last value stands.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (key, value) in elements {
            object[key] = value
        }
        self = .object(object)
    }
}

extension JSON: CustomStringConvertible {
    package var description: String { text() }
}
