import CMARC

/// A record as libyaz gives it: bytes whose encoding nobody has looked at yet, and its remarks on what is wrong.
struct MARCLines {
    struct Field {
        var tag: ArraySlice<UInt8>
        /// Indicators, where there are subfields, else the value.
        var head: ArraySlice<UInt8>
        /// Nil for a control field.
        var subfields: [(code: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]?
    }

    var leader: ArraySlice<UInt8> = []
    var fields: [Field] = []
    /// What is said of the field that comes next, by its place, or of the record.
    var remarks: [(field: Int, text: String)] = []

    private static let lineFeed = UInt8(ascii: "\n")
    private static let blank = UInt8(ascii: " ")

    /// - Parameter bytes: as `CMARC.h` describes them.
    init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while let first = rest.first {
            // A remark; no tag begins so.
            if first == UInt8(ascii: "("), let end = rest.firstIndex(of: Self.lineFeed),
                rest[end - 1] == UInt8(ascii: ")")
            {
                remarks.append((fields.count, String(decoding: rest[(rest.startIndex + 1)..<(end - 1)], as: UTF8.self)))
                rest = rest[(end + 1)...]
            } else if leader.isEmpty {
                let end = rest.firstIndex(of: Self.lineFeed) ?? rest.endIndex
                leader = rest[..<end]
                rest = rest[min(end + 1, rest.endIndex)...]
            } else {
                let end = rest.firstIndex(of: UInt8(moonshelf_marc_field_end)) ?? rest.endIndex
                if let field = Self.field(rest[..<end]) { fields.append(field) }
                rest = rest[min(end + 1, rest.endIndex)...]
            }
        }
    }

    private static func field(_ line: ArraySlice<UInt8>) -> Field? {
        guard let end = line.firstIndex(of: blank) else { return nil }
        let (tag, content) = (line[..<end], line[(end + 1)...])
        let mark = UInt8(moonshelf_marc_subfield)
        guard let first = content.firstIndex(of: mark) else { return Field(tag: tag, head: content) }
        let subfields = content[(first + 1)...].split(separator: mark, omittingEmptySubsequences: false).map { part in
            let end = part.firstIndex(of: blank) ?? part.endIndex
            return (code: part[..<end], value: part[min(end + 1, part.endIndex)...])
        }
        return Field(tag: tag, head: content[..<first], subfields: subfields)
    }
}
