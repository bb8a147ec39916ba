import CMARC
import TextFormats

/// Reads records of ISO 2709 one by one.
struct BinaryMARCReader<Source: ByteSource> {
    private var source: Source
    private let place: MARCPlace
    private var decoder: MARCDecoder
    private var chunk = [UInt8](repeating: 0, count: 1 << 16)
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    private var number = 0

    private static var recordEnd: UInt8 { UInt8(moonshelf_marc_record_end) }
    /// No record of ISO 2709 is a tenth as long; further the end of a damaged one is not looked for.
    private static var most: Int { 1 << 20 }

    init(_ source: Source, _ encoding: MARCEncoding?) throws(MARCUnavailable) {
        self.source = source
        place = try MARCPlace()
        decoder = MARCDecoder(encoding)
    }

    mutating func next() throws -> MARCItem? {
        guard try skipFiller() else { return nil }
        number += 1
        var faults: [MARCFault] = []
        let leader = try bytes(atLeast: 24).prefix(24)
        var length = Self.number(leader.prefix(5)) ?? 0
        let isWhole =
            try length >= 26 && bytes(atLeast: length).count >= length && buffer[start + length - 1] == Self.recordEnd
        if !isWhole {
            let declared = length
            let skipped = try strayBytes()
            if skipped > 0 {
                let piece = Array(buffer[start..<(start + skipped)])
                start += skipped
                return stray(piece, declared)
            }
            length = try lengthToEnd()
            if declared == length + 1, buffer[start + length - 1] == UInt8(moonshelf_marc_field_end) {
                let piece = Array(buffer[start..<(start + length)])
                start += length
                return stray(piece, declared)
            }
            faults.append(
                Self.lengthFault(leader, declared, length, isEnded: buffer[start + length - 1] == Self.recordEnd))
        }
        let bytes = buffer[start..<(start + length)]
        start += length
        return item(bytes, leader, faults)
    }

    private mutating func item(
        _ bytes: ArraySlice<UInt8>, _ leader: ArraySlice<UInt8>, _ given: [MARCFault]
    ) -> MARCItem {
        var faults = given
        guard var record = read(bytes, &faults) else {
            if !faults.contains(where: \.isFatal) { faults.append(.fatal("unreadable", "it is no record of ISO 2709")) }
            return MARCItem(
                record: nil, number: number, faults: faults, controlNumber: MARCDirectory(bytes)?.controlNumber)
        }
        // Whatever the leader says of it, the length is that of what stands in the file.
        record.leader = String(decoding: leader, as: UTF8.self)
        return MARCItem(record: record, number: number, faults: faults)
    }

    /// What stands before a whole record: one without the mark at its end, which is kept; one that breaks off; or nothing of a record.
    private mutating func stray(_ piece: [UInt8], _ declared: Int) -> MARCItem {
        guard let directory = MARCDirectory(piece[...]) else {
            return MARCItem(
                record: nil, number: number,
                faults: [.fatal("no_record", "\(piece.count) bytes belong to no record; passed over")])
        }
        if piece.last == UInt8(moonshelf_marc_field_end), directory.linesByMarks() != nil {
            let fault = MARCFault.warning(nil, "no_end", "the mark at its end is missing")
            return item((piece + [Self.recordEnd])[...], piece.prefix(24), [fault])
        }
        let message =
            "it breaks off after \(piece.count) bytes, of which its leader says \(declared), and another one follows"
        return MARCItem(
            record: nil, number: number, faults: [.fatal("cut_off", message)], controlNumber: directory.controlNumber)
    }

    private static func lengthFault(
        _ leader: ArraySlice<UInt8>, _ declared: Int, _ length: Int, isEnded: Bool
    ) -> MARCFault {
        guard isEnded else { return .fatal("cut_off", "the file ends within it, after \(length) bytes") }
        guard number(leader.prefix(5)) != nil else {
            return .warning(nil, "bad_length", "its leader does not begin with its length; it has \(length) bytes")
        }
        return .warning(nil, "bad_length", "its leader says \(declared) bytes, and it has \(length)")
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>, _ faults: inout [MARCFault]) -> MARCRecord? {
        guard bytes.count >= 26, !faults.contains(where: \.isFatal) else { return nil }
        var bytes = Array(bytes)
        if !faults.isEmpty, bytes.count <= 99_999 {
            let digits = String(bytes.count)
            bytes.replaceSubrange(..<5, with: (String(repeating: "0", count: 5 - digits.count) + digits).utf8)
        }
        let stated = Self.number(bytes[12..<17])
        let directory = MARCDirectory.ends(bytes[...], at: stated) ? nil : MARCDirectory(bytes[...])
        if let directory, bytes.count <= 99_999 {
            let said = stated.map { "at byte \($0)" } ?? "at no number"
            faults.append(
                .warning(
                    nil, "bad_base", "its leader says that its fields begin \(said), and they do at \(directory.base)"))
            let digits = String(directory.base)
            bytes.replaceSubrange(12..<17, with: (String(repeating: "0", count: 5 - digits.count) + digits).utf8)
        }
        guard let lines = place.lines(of: bytes) else { return nil }
        if lines.remarks.contains(where: { $0.text.contains("eparator") || $0.text.contains("out of bounds") }),
            let marked = (directory ?? MARCDirectory(bytes[...]))?.linesByMarks()
        {
            let fault =
                marked.agrees
                ? MARCFault.warning(nil, "damaged", "fields have other indicators than its leader says")
                : .warning(
                    nil, "bad_directory",
                    "its directory says other lengths than its fields have, which are read up to the marks at their ends"
                )
            faults.append(fault)
            return decoder.record(marked.lines, isXML: false, &faults)
        }
        for (field, text) in lines.remarks {
            let tag = field < lines.fields.count ? String(decoding: lines.fields[field].tag, as: UTF8.self) : nil
            faults.append(.warning(tag, "damaged", text))
        }
        if lines.fields.isEmpty {
            faults.append(.fatal("no_fields", "it has no field that can be read"))
            return nil
        }
        return decoder.record(lines, isXML: false, &faults)
    }

    // MARK: Bytes

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.count == 5, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// What follows, at least as many bytes as that if the file has them.
    private mutating func bytes(atLeast count: Int) throws -> ArraySlice<UInt8> {
        while buffer.count - start < count && !isAtEnd {
            if start > 0 {
                buffer.removeFirst(start)
                start = 0
            }
            let read = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
            buffer += chunk[..<read]
            isAtEnd = read == 0
        }
        return buffer[start...]
    }

    /// Passes over line ends, blanks and the like between records.
    ///
    /// - Returns: whether something follows.
    private mutating func skipFiller() throws -> Bool {
        while true {
            let rest = try bytes(atLeast: 1)
            guard !rest.isEmpty else { return false }
            let filler = rest.prefix { $0.isFiller && $0 != Self.recordEnd }
            if filler.isEmpty { return true }
            start += filler.count
        }
    }

    /// The place of the next end of a record, as far as it is looked for; nil: there is none.
    private mutating func nextEnd() throws -> Int? {
        var looked = 0
        while looked < Self.most {
            let rest = try bytes(atLeast: looked + 1)
            if let end = rest.dropFirst(looked).firstIndex(of: Self.recordEnd) { return end }
            if rest.count <= looked { return nil }
            looked = rest.count
        }
        return nil
    }

    /// How many bytes stand before a record that is whole, which begins before the next end of a record; 0: none.
    private mutating func strayBytes() throws -> Int {
        guard let end = try nextEnd() else { return 0 }
        var index = start + 1
        while index + 26 <= end + 1 {
            if let length = Self.number(buffer[index..<(index + 5)]), index + length == end + 1 { return index - start }
            index += 1
        }
        return 0
    }

    /// How many bytes there are to the end of the record, or of what was looked at.
    private mutating func lengthToEnd() throws -> Int { (try nextEnd() ?? buffer.endIndex - 1) - start + 1 }
}
