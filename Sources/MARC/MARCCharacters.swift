import CMARC
import TextFormats

/// How the bytes of a record stand for characters.
package enum MARCEncoding: String, Hashable, Sendable, CaseIterable {
    case utf8 = "utf-8"
    case marc8 = "marc-8"
    /// The extended Latin set of UNIMARC.
    case iso5426 = "iso-5426"
    case latin1 = "iso-8859-1"
    case windows1251 = "windows-1251"
    case windows1252 = "windows-1252"
    case cp866 = "cp866"

    /// What libyaz calls it.
    fileprivate var name: String { self == .iso5426 ? "iso5426" : rawValue }
}

/// Changes texts from and to an encoding.
final class MARCConverter {
    private let converter: UnsafeMutableRawPointer

    /// - Returns: nil where libyaz does not know the encoding.
    init?(to: MARCEncoding, from: MARCEncoding) {
        guard let made = moonshelf_marc_converter_make(to.name, from.name) else { return nil }
        converter = made
    }

    deinit { moonshelf_marc_converter_free(converter) }

    /// - Returns: what it became, and how many bytes could be converted.
    func convert(_ bytes: ArraySlice<UInt8>) -> (text: [UInt8], count: Int) {
        bytes.withUnsafeBytes { raw in
            var (result, length): (UnsafePointer<CChar>?, Int) = (nil, 0)
            let done = moonshelf_marc_convert(
                converter, raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count, &result, &length)
            return (Array(UnsafeRawBufferPointer(start: result, count: length)), done)
        }
    }
}

/// Finds the encoding of records, and makes texts of their bytes.
struct MARCDecoder {
    /// What the user says that all records are in.
    let given: MARCEncoding?
    private var converters: [MARCEncoding: MARCConverter] = [:]

    init(_ given: MARCEncoding?) { self.given = given }

    /// The record, with what is to be said of its characters added to `faults`.
    mutating func record(_ lines: MARCLines, isXML: Bool, _ faults: inout [MARCFault]) -> MARCRecord {
        let encoding = isXML ? .utf8 : encoding(of: lines, &faults)
        let leader = String(decoding: lines.leader, as: UTF8.self)
        defer { faults = faults.enumerated().filter { faults.firstIndex(of: $0.element) == $0.offset }.map(\.element) }
        var fields: [MARCRecord.Field] = []
        fields.reserveCapacity(lines.fields.count)
        for field in lines.fields {
            let tag = String(decoding: field.tag, as: UTF8.self)
            guard let subfields = field.subfields else {
                fields.append(.init(tag, .value(text(field.head, encoding, tag, &faults))))
                continue
            }
            let parts = subfields.map { part in
                MARCRecord.Subfield(
                    String(decoding: part.code, as: UTF8.self), text(part.value, encoding, tag, &faults))
            }
            let indicators = String(decoding: field.head, as: UTF8.self)
            fields.append(.init(tag, .subfields(indicators: indicators, parts)))
        }
        return MARCRecord(leader: leader, fields: fields)
    }

    private mutating func encoding(of lines: MARCLines, _ faults: inout [MARCFault]) -> MARCEncoding {
        if let given { return given }
        let values = lines.fields.flatMap { field in field.subfields.map { $0.map(\.value) } ?? [field.head] }
        let special = values.filter { $0.contains { $0 >= 0x80 || $0 == 0x1B } }
        let isUTF8 = lines.leader.dropFirst(9).first == UInt8(ascii: "a") || Self.unimarc(lines) == "50"
        guard !special.isEmpty else {
            return isUTF8 || !values.contains { $0.contains(UInt8(ascii: "&")) } ? .utf8 : .marc8
        }
        let wrong = special.filter { !$0.isUTF8 }.count
        if isUTF8 {
            // Texts that are not UTF-8 in a record that has characters which are: some bytes are damaged.
            let isOther =
                wrong > 0 && special.allSatisfy { value in !value.isUTF8 || value.allSatisfy { $0 < 0x80 } }
                && !special.contains(where: \.hasCharacterOfUTF8)
            guard isOther, let other = readable(special, among: [.marc8]) else { return .utf8 }
            faults.append(.warning(nil, "encoding", "it says that it is UTF-8, and is read as \(other.rawValue)"))
            return other
        }
        if wrong == 0, special.contains(where: { $0.contains { $0 >= 0x80 } }) {
            faults.append(.warning(nil, "encoding", "it does not say that it is UTF-8, and is read as that"))
            return .utf8
        }
        if Self.unimarc(lines) != nil { return .iso5426 }
        return .marc8
    }

    /// The character set that a record of UNIMARC names in `100 $a`, at places 26 and 27; nil for other records.
    private static func unimarc(_ lines: MARCLines) -> String? {
        guard let field = lines.fields.first(where: { $0.tag.elementsEqual("100".utf8) }),
            let value = field.subfields?.first(where: { $0.code.elementsEqual("a".utf8) })?.value,
            value.count >= 36, value.prefix(8).allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return String(decoding: value.dropFirst(26).prefix(2), as: UTF8.self)
    }

    private mutating func readable(_ values: [ArraySlice<UInt8>], among encodings: [MARCEncoding]) -> MARCEncoding? {
        for encoding in encodings {
            guard let converter = converter(encoding) else { continue }
            if values.allSatisfy({ converter.convert($0).count == $0.count }) { return encoding }
        }
        return nil
    }

    private mutating func converter(_ encoding: MARCEncoding) -> MARCConverter? {
        if let made = converters[encoding] { return made }
        let made = MARCConverter(to: .utf8, from: encoding)
        converters[encoding] = made
        return made
    }

    /// A text, in which U+FFFD stands for what is no character.
    private mutating func text(
        _ bytes: ArraySlice<UInt8>, _ encoding: MARCEncoding, _ tag: String, _ faults: inout [MARCFault]
    ) -> String {
        // Beside texts in MARC-8, one whose bytes are characters of UTF-8 is in that.
        if encoding == .marc8, given == nil, !bytes.contains(0x1B), bytes.hasCharacterOfUTF8,
            let text = String(validating: bytes, as: UTF8.self)
        {
            faults.append(
                .warning(tag, "encoding", "it is read as UTF-8, unlike other texts of the record, which are in marc-8"))
            return text
        }
        let isPlain = encoding == .utf8 || bytes.allSatisfy { $0 < 0x80 && $0 != 0x1B }
        if isPlain, encoding != .marc8 || !bytes.contains(UInt8(ascii: "&")) {
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            faults.append(Self.unreadable(tag, encoding))
            return String(decoding: bytes, as: UTF8.self)
        }
        guard let converter = converter(encoding) else { return String(decoding: bytes, as: UTF8.self) }
        var (rest, text, isDamaged) = (bytes, "", false)
        while true {
            let (converted, count) = converter.convert(rest)
            text += String(decoding: converted, as: UTF8.self)
            guard count < rest.count else { break }
            isDamaged = true
            text += "\u{FFFD}"
            rest = rest.dropFirst(count + 1)
        }
        if isDamaged || Self.ideographs(of: bytes).contains(where: { converter.convert($0[...]).text == [0x20] }) {
            faults.append(Self.unreadable(tag, encoding))
        }
        return encoding == .marc8 && text.contains("&#") ? Self.withoutReferences(text) : text
    }

    /// The characters of East Asian scripts in a text of MARC-8, three bytes each, with the mark that introduces them: of one that it does not
    /// know, libyaz makes a blank.
    private static func ideographs(of bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        let mark: [UInt8] = [0x1B, 0x24, 0x31]
        var (found, rest) = ([[UInt8]](), bytes)
        while let start = rest.firstIndex(of: 0x1B) {
            guard rest[start...].starts(with: mark) else {
                rest = rest[(start + 1)...]
                continue
            }
            rest = rest[(start + 3)...]
            while rest.count >= 3, let first = rest.first, first != 0x1B {
                let length = first == 0x20 ? 1 : 3
                if length == 3 { found.append(mark + rest.prefix(3)) }
                rest = rest.dropFirst(length)
            }
        }
        return found
    }

    /// A text with the characters that MARC-8 writes by their numbers: `&#x1F4D6;`, as the Library of Congress has it.
    private static func withoutReferences(_ text: String) -> String {
        text.replacing(#/&#x([0-9A-Fa-f]{4,6});/#) { match in
            UInt32(match.1, radix: 16).flatMap(UnicodeScalar.init).map { String(Character($0)) } ?? String(match.0)
        }
    }

    private static func unreadable(_ tag: String, _ encoding: MARCEncoding) -> MARCFault {
        .warning(
            tag, "bad_character",
            "there are bytes that are no known character of \(encoding.rawValue); \u{FFFD} or a blank stands for them")
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }

    /// Whether some of its bytes beyond ASCII are a character of UTF-8, as those of other encodings hardly ever are.
    fileprivate var hasCharacterOfUTF8: Bool {
        guard let start = firstIndex(where: { $0 >= 0x80 }) else { return false }
        var rest = self[start...]
        while let first = rest.first {
            let count = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
            let part = rest.prefix(count)
            if count > 0, part.count == count, String(validating: part, as: UTF8.self) != nil { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
