import Circulation
import TextFormats

/// The fields of one object of a fact, which remembers those that were read.
///
/// A field that nobody reads may change what the other system does; a fact with such a field is never said to hold.
final class FieldReading {
    /// Numbers beyond it mean nothing at a desk, and would overflow where they are multiplied.
    private static let largest: Int64 = 1_000_000_000_000

    let path: String
    let object: JSONObject
    private var read: Set<String> = []
    private var parts: [FieldReading] = []

    init(_ object: JSONObject, path: String) {
        self.object = object
        self.path = path
    }

    /// The value of a field that is there and not null.
    subscript(key: String) -> JSON? {
        guard let value = object[key] else { return nil }
        read.insert(key)
        // `nil` alone would be a JSON null.
        return value.isNull ? Optional<JSON>.none : value
    }

    /// Whether the field is there, null included; it does not count as read.
    func has(_ key: String) -> Bool { object[key] != nil }

    /// The first of the keys that is there.
    func first(of keys: String...) -> String? { keys.first { has($0) } }

    /// Fields that say the same twice, or say nothing.
    func ignore(_ keys: String...) { read.formUnion(keys) }

    // MARK: Kinds of values

    func text(_ key: String) throws -> String? {
        try self[key].map { value in
            guard let text = value.stringValue else { throw unreadable(key) }
            return text
        }
    }

    func flag(_ key: String) throws -> Bool? {
        try self[key].map { value in
            guard let flag = value.boolValue else { throw unreadable(key) }
            return flag
        }
    }

    func number(_ key: String) throws -> Int64? {
        try self[key].map { value in
            guard let number = value.integerValue, (-Self.largest...Self.largest).contains(number) else {
                throw unreadable(key)
            }
            return number
        }
    }

    /// A number of things, which may be said as a list of them.
    func count(_ key: String) throws -> Int64? {
        if let list = self[key]?.arrayValue { return Int64(list.count) }
        guard let count = try number(key) else { return nil }
        guard (0...5_000).contains(count) else { throw NotExpressed("\(path).\(key) is \(count), which is no count") }
        return count
    }

    func list(_ key: String) throws -> [JSON]? {
        try self[key].map { value in
            guard let list = value.arrayValue else { throw unreadable(key) }
            return list
        }
    }

    func texts(_ key: String) throws -> [String]? {
        try list(key)?.map { value in
            guard let text = value.stringValue else { throw unreadable(key) }
            return text
        }
    }

    func part(_ key: String) throws -> FieldReading? {
        try self[key].map { value in
            guard let object = value.objectValue else { throw unreadable(key) }
            return part(object, "\(path).\(key)")
        }
    }

    func parts(_ key: String) throws -> [FieldReading]? {
        try list(key)?.enumerated().map { index, value in
            guard let object = value.objectValue else { throw unreadable(key) }
            return part(object, "\(path).\(key)[\(index + 1)]")
        }
    }

    private func part(_ object: JSONObject, _ path: String) -> FieldReading {
        if let known = parts.first(where: { $0.path == path }) { return known }
        let part = FieldReading(object, path: path)
        parts.append(part)
        return part
    }

    func period(_ key: String) throws -> Period? {
        try text(key).map { text in
            guard let period = PeriodWords.period(text) else { throw unreadable(key) }
            return period
        }
    }

    func money(_ key: String) throws -> Money? {
        guard let value = self[key] else { return nil }
        let text = value.stringValue ?? value.integerValue.map(String.init) ?? value.doubleValue.map { "\($0)" } ?? ""
        guard let money = try? Money(parsing: text, currency: .eur) else { throw unreadable(key) }
        return money
    }

    func unreadable(_ key: String) -> NotExpressed {
        NotExpressed("what \(path).\(key) means by \(object[key]?.text() ?? "nothing") is not known")
    }

    // MARK: What was left

    /// The fields that nobody read, with their paths. Fields that only explain do not count.
    var unread: [String] {
        let own = object.keys.filter { !read.contains($0) && !Self.isExplanation($0) }.map { "\(path).\($0)" }
        return own + parts.flatMap(\.unread)
    }

    private static func isExplanation(_ key: String) -> Bool {
        ["note", "notes", "comment", "description", "source", "topic", "modes", "title", "op"].contains(key)
            || key.hasSuffix("_meaning") || key.hasSuffix("_note") || key.hasPrefix("_")
    }
}
