/// Writes JSON text (RFC 8259) by appending to a byte array, without building a tree first.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.key("barcode")
/// writer.string("39041000012")
/// writer.endObject()
/// writer.newline()        // a line of a JSON Lines file; the next value may follow
/// ```
/// Commas, colons and indentation are its own affair; that every `begin` has its `end` and every member its key is the
/// caller's. Strings are escaped as little as the RFC allows; a double that is not finite becomes `null`, since JSON
/// has no word for it.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private let pretty: Bool
    private var depth = 0
    /// Whether the next key or value follows another one in the same array or object.
    private var followsValue = false
    private var followsKey = false

    package init(pretty: Bool = false, reservingCapacity capacity: Int = 0) {
        self.pretty = pretty
        bytes.reserveCapacity(capacity)
    }

    /// What was written so far.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Hands out what was written and starts anew, keeping the settings.
    package mutating func take() -> [UInt8] {
        let written = bytes
        reset()
        return written
    }

    /// Forgets what was written and keeps the memory for the next text.
    package mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        depth = 0
        followsValue = false
        followsKey = false
    }

    package mutating func beginObject() { begin(UInt8.openBrace) }
    package mutating func endObject() { end(UInt8.closeBrace) }
    package mutating func beginArray() { begin(UInt8.openBracket) }
    package mutating func endArray() { end(UInt8.closeBracket) }

    /// The key of the member whose value is written next.
    package mutating func key(_ key: String) {
        separate()
        appendQuoted(key)
        bytes.append(UInt8.colon)
        if pretty { bytes.append(UInt8.space) }
        followsKey = true
    }

    package mutating func null() {
        separate()
        append("null")
        followsValue = true
    }

    package mutating func bool(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
        followsValue = true
    }

    package mutating func integer(_ value: some FixedWidthInteger & Sendable) {
        separate()
        if let small = Int64(exactly: value) {
            bytes.appendDecimal(small)
        } else {
            bytes.append(contentsOf: String(value).utf8)
        }
        followsValue = true
    }

    package mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        separate()
        bytes.append(contentsOf: value.description.utf8)
        followsValue = true
    }

    package mutating func string(_ value: String) {
        separate()
        appendQuoted(value)
        followsValue = true
    }

    /// A value whose JSON text is at hand already, for example from a database column.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        followsValue = true
    }

    package mutating func value(_ value: JSON) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .integer(let value): integer(value)
        case .number(let value): number(value)
        case .string(let value): string(value)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let object):
            beginObject()
            for entry in object.entries {
                key(entry.key)
                self.value(entry.value)
            }
            endObject()
        }
    }

    /// Ends a line of a JSON Lines file.
    package mutating func newline() {
        bytes.append(UInt8.lineFeed)
        followsValue = false
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        depth += 1
        followsValue = false
    }

    private mutating func end(_ bracket: UInt8) {
        depth -= 1
        if pretty && followsValue { breakLine() }
        bytes.append(bracket)
        followsValue = true
    }

    @inline(__always)
    private mutating func separate() {
        if followsKey {
            followsKey = false
            return
        }
        if followsValue { bytes.append(UInt8.comma) }
        if pretty && depth > 0 { breakLine() }
    }

    private mutating func breakLine() {
        bytes.append(UInt8.lineFeed)
        for _ in 0..<max(0, depth) {
            bytes.append(UInt8.space)
            bytes.append(UInt8.space)
        }
    }

    private mutating func append(_ word: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private mutating func appendQuoted(_ text: String) {
        var text = text
        text.withUTF8 { bytes.appendJSONString($0) }
    }
}
