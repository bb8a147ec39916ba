import CMARC
package import TextFormats

/// What is wrong with a record of a file.
package struct MARCFault: Hashable, Sendable {
    /// Of the field that it is about.
    package var tag: String?
    /// The line of an XML document at which it stands.
    package var line: Int?
    /// A stable word: `bad_length`, `bad_character` and the like.
    package var code: String
    package var message: String
    /// Whether the record cannot be taken.
    package var isFatal: Bool

    static func warning(_ tag: String?, _ code: String, _ message: String) -> MARCFault {
        MARCFault(tag: tag, code: code, message: message, isFatal: false)
    }

    static func fatal(_ code: String, _ message: String) -> MARCFault {
        MARCFault(tag: nil, code: code, message: message, isFatal: true)
    }
}

/// What stands at one place of a file of records.
package struct MARCItem: Sendable {
    /// Nil where there is none that can be read.
    package var record: MARCRecord?
    /// Its number in the file, from 1.
    package var number: Int
    package var faults: [MARCFault]
}

/// Why records cannot be read at all.
package struct MARCUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// - Throws: ``MARCUnavailable`` where libyaz is not installed.
    static func check() throws(MARCUnavailable) {
        guard let why = moonshelf_marc_load() else { return }
        throw MARCUnavailable(
            description: "MARC records are read by libyaz, on Debian the package libyaz5: \(String(cString: why))")
    }
}

/// Reads the records of a file one by one, binary (ISO 2709) or MARCXML, whatever is damaged between them.
package struct MARCReader<Source: ByteSource> {
    private enum Form {
        case binary(BinaryMARCReader<Source>)
        case xml(XMLMARCReader<Source>)
    }

    private var form: Form

    /// - Parameter encoding: what the records are in, whatever they say; nil: as they say.
    /// - Throws: ``MARCUnavailable``.
    package init(_ source: Source, isXML: Bool, encoding: MARCEncoding? = nil) throws(MARCUnavailable) {
        try MARCUnavailable.check()
        form = isXML ? .xml(try XMLMARCReader(source)) : .binary(try BinaryMARCReader(source, encoding))
    }

    /// The next record, nil at the end.
    ///
    /// - Throws: what the source throws.
    package mutating func next() throws -> MARCItem? {
        switch form {
        case .binary(var reader):
            defer { form = .binary(reader) }
            return try reader.next()
        case .xml(var reader):
            defer { form = .xml(reader) }
            return try reader.next()
        }
    }
}

/// What files of records begin with.
package enum MARCForm: Sendable {
    case binary, xml

    /// The form of a file by its first bytes, a few thousand are enough; nil: it holds no records.
    package init?(beginning bytes: ArraySlice<UInt8>) {
        let text = bytes.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        if text.first == UInt8(ascii: "<") {
            let head = String(decoding: text, as: UTF8.self)
            let isMARC =
                ["MARC21/slim", "marcxchange", "marcxml"].contains { head.range(of: $0) }
                || ["<record", ":record", "<leader", ":leader"].contains { head.range(of: $0) }
                    && head.range(of: "leader")
            guard isMARC else { return nil }
            self = .xml
        } else {
            let leader = text.prefix(24)
            let digits = [0, 1, 2, 3, 4, 12, 13, 14, 15, 16].allSatisfy { place in
                leader.dropFirst(place).first.map { (0x30...0x39).contains($0) } ?? false
            }
            guard leader.count == 24, digits else { return nil }
            self = .binary
        }
    }
}

extension String {
    fileprivate func range(of part: String) -> Bool { utf8.count >= part.utf8.count && contains(part) }
}

// MARK: - Binary

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
    /// No record of ISO 2709 is longer, and none that is damaged is looked at further than a few times that.
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
                start += skipped
                return MARCItem(
                    record: nil, number: number,
                    faults: [.fatal("no_record", "\(skipped) bytes belong to no record; passed over")])
            }
            length = try lengthToEnd()
            faults.append(
                Self.lengthFault(leader, declared, length, isEnded: buffer[start + length - 1] == Self.recordEnd))
        }
        let bytes = buffer[start..<(start + length)]
        start += length
        guard var record = read(bytes, &faults) else {
            if !faults.contains(where: \.isFatal) { faults.append(.fatal("unreadable", "it is no record of ISO 2709")) }
            return MARCItem(record: nil, number: number, faults: faults)
        }
        // Whatever the leader says of it, the length is that of what stands in the file.
        record.leader = String(decoding: leader, as: UTF8.self)
        return MARCItem(record: record, number: number, faults: faults)
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
        guard let lines = place.lines(of: bytes) else { return nil }
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
            let filler = rest.prefix { $0 <= 0x20 && $0 != Self.recordEnd || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
            if filler.isEmpty { return true }
            start += filler.count
        }
    }

    /// How many bytes stand before a record that is whole, which begins before the next end of a record; 0: none.
    private mutating func strayBytes() throws -> Int {
        let rest = try bytes(atLeast: Self.most)
        guard let end = rest.firstIndex(of: Self.recordEnd) else { return 0 }
        var index = start + 1
        while index + 26 <= end + 1 {
            if let length = Self.number(buffer[index..<(index + 5)]), index + length == end + 1 { return index - start }
            index += 1
        }
        return 0
    }

    /// How many bytes there are to the end of the record, or of the file.
    private mutating func lengthToEnd() throws -> Int {
        let rest = try bytes(atLeast: Self.most)
        let end = rest.firstIndex(of: Self.recordEnd) ?? rest.endIndex - 1
        return end - start + 1
    }
}

/// The place in which libyaz has one record at a time.
final class MARCPlace {
    let pointer: UnsafeMutableRawPointer

    init() throws(MARCUnavailable) {
        guard let made = moonshelf_marc_make() else { throw MARCUnavailable(description: "there is no memory") }
        pointer = made
    }

    deinit { moonshelf_marc_free(pointer) }

    /// A record of ISO 2709 taken apart; nil where it cannot be.
    func lines(of bytes: [UInt8]) -> MARCLines? {
        bytes.withUnsafeBytes { raw in
            var (text, length): (UnsafePointer<CChar>?, Int) = (nil, 0)
            let start = raw.baseAddress?.assumingMemoryBound(to: CChar.self)
            guard moonshelf_marc_read(pointer, start, raw.count, &text, &length) != 0 else { return nil }
            return MARCLines(Array(UnsafeRawBufferPointer(start: text, count: length))[...])
        }
    }
}

// MARK: - MARCXML

struct XMLMARCReader<Source: ByteSource> {
    private final class Parser {
        let pointer: UnsafeMutableRawPointer
        init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }
        deinit { moonshelf_marc_xml_free(pointer) }
    }

    private var source: Source
    private let parser: Parser
    private var decoder = MARCDecoder(.utf8)
    private var waiting: [MARCItem] = []
    private var isAtEnd = false
    private var isAtStart = true
    private var isWrapped = false
    private var number = 0
    private var chunk = [UInt8](repeating: 0, count: 1 << 16)

    init(_ source: Source) throws(MARCUnavailable) {
        guard let made = moonshelf_marc_xml_make() else { throw MARCUnavailable(description: "there is no memory") }
        self.source = source
        parser = Parser(made)
    }

    mutating func next() throws -> MARCItem? {
        while waiting.isEmpty && !isAtEnd { try take() }
        return waiting.popLast()
    }

    /// A record without a collection around it is given one, so that those behind it are read too.
    private mutating func wrap(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        isAtStart = false
        var rest = bytes.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        while rest.starts(with: "<?".utf8) || rest.starts(with: "<!--".utf8) {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return Array(bytes) }
            rest = rest[(end + 1)...].drop { $0 <= 0x20 }
        }
        let name = rest.dropFirst().prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
        let localName = name.split(separator: UInt8(ascii: ":")).last ?? []
        guard rest.first == UInt8(ascii: "<"), localName.elementsEqual("record".utf8) else { return Array(bytes) }
        isWrapped = true
        return Array(bytes[..<rest.startIndex]) + "<collection>".utf8 + rest
    }

    private mutating func take() throws {
        let read = try chunk.withUnsafeMutableBytes { try source.read(into: $0) }
        var piece = isAtStart ? wrap(chunk[..<read]) : Array(chunk[..<read])
        if read == 0, isWrapped { piece += "</collection>".utf8 }
        let count = piece.count
        var (text, length): (UnsafePointer<CChar>?, Int) = (nil, 0)
        var (faults, faultsLength): (UnsafePointer<CChar>?, Int) = (nil, 0)
        let isOpen = piece.withUnsafeBytes { raw in
            moonshelf_marc_xml_take(
                parser.pointer, raw.baseAddress?.assumingMemoryBound(to: CChar.self), count, read == 0 ? 1 : 0, &text,
                &length, &faults, &faultsLength) != 0
        }
        isAtEnd = read == 0 || !isOpen
        let bytes = Array(UnsafeRawBufferPointer(start: text, count: length))
        var items = bytes.split(separator: UInt8(moonshelf_marc_record_end)).map { item(MARCLines($0)) }
        let said = String(decoding: UnsafeRawBufferPointer(start: faults, count: faultsLength), as: UTF8.self)
        // What damages the same line is one fault.
        var lines: [MARCFault] = []
        for line in said.split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1)
            guard parts.count == 2, let place = Int(parts[0]), lines.last?.line != place else { continue }
            var fault = MARCFault.fatal("bad_xml", "the XML is damaged: \(parts[1])")
            fault.line = place
            lines.append(fault)
        }
        if !lines.isEmpty { items.append(MARCItem(record: nil, number: number, faults: lines)) }
        waiting = items.reversed()
    }

    private mutating func item(_ lines: MARCLines) -> MARCItem {
        number += 1
        // What a leader says of lengths has no meaning in XML.
        let remarks = lines.remarks.filter { !$0.text.hasPrefix("Base address") && !$0.text.hasPrefix("Length ") }
        var faults: [MARCFault] = remarks.map { .warning(nil, "damaged", $0.text) }
        guard !lines.fields.isEmpty else {
            return MARCItem(record: nil, number: number, faults: faults + [.fatal("no_fields", "it has no fields")])
        }
        return MARCItem(record: decoder.record(lines, isXML: true, &faults), number: number, faults: faults)
    }
}
