import CMARC
import TextFormats

/// Reads records of MARCXML one by one.
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
        var rest = bytes.drop(while: \.isFiller)
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
        var lines = lines
        if lines.leader.elementsEqual(moonshelf_marc_no_leader.utf8) {
            faults.append(.warning(nil, "no_leader", "it has no leader; it is taken for a book"))
            lines.leader = ArraySlice("00000nam a2200000   4500".utf8)
        }
        guard !lines.fields.isEmpty else {
            return MARCItem(record: nil, number: number, faults: faults + [.fatal("no_fields", "it has no fields")])
        }
        return MARCItem(record: decoder.record(lines, isXML: true, &faults), number: number, faults: faults)
    }
}
