import CMARC

/// The directory of a binary record as it stands there, for records in which it, or the leader before it, says what is not so.
struct MARCDirectory {
    private static let fieldEnd = UInt8(moonshelf_marc_field_end)
    private static let recordEnd = UInt8(moonshelf_marc_record_end)
    private static let subfieldMark = UInt8(moonshelf_marc_subfield)
    private static let entryLength = 12

    private let bytes: ArraySlice<UInt8>
    /// The places of its entries.
    private let entries: [Int]
    /// How many bytes stand before the fields.
    let base: Int

    /// - Parameter bytes: of a record, perhaps without its end.
    /// - Returns: nil where they have no directory that can be read: entries of three characters and nine digits, up to the end of a field.
    init?(_ bytes: ArraySlice<UInt8>) {
        let rest = bytes.dropFirst(24)
        guard let end = rest.firstIndex(of: Self.fieldEnd), end > rest.startIndex,
            (end - rest.startIndex) % Self.entryLength == 0
        else { return nil }
        let entries = Array(stride(from: rest.startIndex, to: end, by: Self.entryLength))
        guard entries.allSatisfy({ Self.isNumber(bytes[($0 + 3)..<($0 + 12)]) }) else { return nil }
        self.bytes = bytes
        self.entries = entries
        base = end + 1 - bytes.startIndex
    }

    /// Whether the directory of a record ends before the place where its leader says that the fields begin.
    static func ends(_ bytes: ArraySlice<UInt8>, at place: Int?) -> Bool {
        guard let place, let end = bytes.dropFirst(24).firstIndex(of: fieldEnd) else { return false }
        return end + 1 - bytes.startIndex == place
    }

    /// The control number, as far as it can be found.
    var controlNumber: String? {
        guard let entry = entries.first(where: { bytes[$0..<($0 + 3)].elementsEqual("001".utf8) }) else { return nil }
        let start = bytes.startIndex + base + Self.number(bytes[(entry + 7)..<(entry + 12)])
        guard start < bytes.endIndex else { return nil }
        let value = bytes[start...].prefix { $0 != Self.fieldEnd && $0 != Self.recordEnd && $0 != Self.subfieldMark }
        let text = String(decoding: value.drop { $0 == 0x20 }.prefix(64), as: UTF8.self)
        return value.endIndex < bytes.endIndex && !text.isEmpty ? text : nil
    }

    /// The record with each field as long as it is by the mark at its end, whatever the directory says of lengths; nil where there are not as
    /// many marks as entries.
    ///
    /// - Returns: the record, and whether the directory says the same.
    func linesByMarks() -> (lines: MARCLines, agrees: Bool)? {
        var rest = bytes.dropFirst(base)
        if rest.last == Self.recordEnd { rest = rest.dropLast() }
        guard rest.last == Self.fieldEnd else { return nil }
        let parts = rest.dropLast().split(separator: Self.fieldEnd, omittingEmptySubsequences: false)
        guard parts.count == entries.count else { return nil }
        // Fields stand in the order of their places, and are named in that of the directory.
        let order = entries.indices.sorted { one, other in
            let (first, second) = (place(one), place(other))
            return (first, one) < (second, other)
        }
        var fields = [MARCLines.Field?](repeating: nil, count: entries.count)
        var agrees = true
        for (index, part) in zip(order, parts) {
            let length = Self.number(bytes[(entries[index] + 3)..<(entries[index] + 7)])
            agrees = agrees && length == part.count + 1 && place(index) == part.startIndex - bytes.startIndex - base
            fields[index] = Self.field(bytes[entries[index]..<(entries[index] + 3)], part)
        }
        var lines = MARCLines([])
        lines.leader = bytes.prefix(24)
        lines.fields = fields.compactMap(\.self)
        return (lines, agrees)
    }

    private func place(_ index: Int) -> Int { Self.number(bytes[(entries[index] + 7)..<(entries[index] + 12)]) }

    private static func field(_ tag: ArraySlice<UInt8>, _ content: ArraySlice<UInt8>) -> MARCLines.Field {
        guard let first = content.firstIndex(of: subfieldMark) else { return .init(tag: tag, head: content) }
        let parts = content[(first + 1)...].split(separator: subfieldMark, omittingEmptySubsequences: false)
        let subfields = parts.map { part in
            // A code is one character.
            var end = min(part.startIndex + 1, part.endIndex)
            while end < part.endIndex, part[end] & 0xC0 == 0x80 { end += 1 }
            return (code: part[..<end], value: part[end...])
        }
        return .init(tag: tag, head: content[..<first], subfields: subfields)
    }

    static func isNumber(_ digits: ArraySlice<UInt8>) -> Bool {
        !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    static func number(_ digits: ArraySlice<UInt8>) -> Int { digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
}
