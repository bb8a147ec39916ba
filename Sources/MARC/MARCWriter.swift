import CMARC

/// Writes records as a file: ISO 2709 or MARCXML.
package final class MARCWriter {
    /// Why a record cannot be written in a form.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    private let isXML: Bool
    private let place: MARCPlace
    /// To MARC-8 and back; nil: UTF-8 is written.
    private let converter: (there: MARCConverter, back: MARCConverter)?

    /// The most bytes that ISO 2709 has places for, of a field and of a record.
    private static let longestField = 9_999
    private static let longestRecord = 99_999

    /// - Parameter encoding: of binary records, UTF-8 or MARC-8; MARCXML is UTF-8.
    /// - Throws: ``MARCUnavailable``.
    package init(_ form: MARCForm, encoding: MARCEncoding = .utf8) throws(MARCUnavailable) {
        try MARCUnavailable.check()
        isXML = form == .xml
        place = try MARCPlace()
        guard !isXML, encoding != .utf8 else {
            converter = nil
            return
        }
        guard let there = MARCConverter(to: encoding, from: .utf8), let back = MARCConverter(to: .utf8, from: encoding)
        else { throw MARCUnavailable(description: "libyaz does not write \(encoding.rawValue)") }
        converter = (there, back)
    }

    /// What stands before the first record.
    package var beginning: [UInt8] {
        let head = """
            <?xml version="1.0" encoding="UTF-8"?>
            <collection xmlns="http://www.loc.gov/MARC21/slim">

            """
        return isXML ? Array(head.utf8) : []
    }

    /// What stands behind the last one.
    package var end: [UInt8] { isXML ? Array("</collection>\n".utf8) : [] }

    /// A record as it stands in the file.
    ///
    /// - Throws: ``Failure`` where the form has no place for it: a field of more than 9,999 bytes, a record of more than 99,999.
    package func bytes(of record: MARCRecord) throws(Failure) -> [UInt8] {
        var leader = Array(record.leader.utf8.map { $0 < 0x80 ? $0 : UInt8(ascii: " ") }.prefix(24))
        leader += repeatElement(UInt8(ascii: " "), count: 24 - leader.count)
        // UNIMARC says in `100 $a` what its texts are in.
        let record = record.isUNIMARC && converter == nil ? record.saidToBeUTF8 : record
        if !record.isUNIMARC { leader[9] = UInt8(ascii: converter == nil ? "a" : " ") }
        var total = 0
        leader.append(0)
        leader.withUnsafeBytes {
            moonshelf_marc_start(place.pointer, $0.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
        for field in record.fields {
            let length = add(field)
            guard isXML || length <= Self.longestField else {
                throw Failure(description: "field \(field.tag) has \(length) bytes, and ISO 2709 has places for 9999")
            }
            total += length + 12
        }
        guard isXML || total + 25 <= Self.longestRecord else {
            throw Failure(description: "it has \(total + 25) bytes, and ISO 2709 has places for 99999")
        }
        var (text, length): (UnsafePointer<CChar>?, Int) = (nil, 0)
        guard moonshelf_marc_write(place.pointer, isXML ? 1 : 0, &text, &length) != 0 else {
            throw Failure(description: "libyaz cannot write it")
        }
        return Array(UnsafeRawBufferPointer(start: text, count: length))
    }

    /// - Returns: how many bytes the field has in ISO 2709.
    private func add(_ field: MARCRecord.Field) -> Int {
        switch field.content {
        case .value(let value):
            let bytes = converted(value)
            bytes.withCharacters { moonshelf_marc_add_control(place.pointer, field.tag, $0, bytes.count) }
            return bytes.count + 1
        case .subfields(let indicators, let subfields):
            let marks = Array(indicators.utf8)
            marks.withCharacters { moonshelf_marc_add_data(place.pointer, field.tag, $0, marks.count) }
            var length = marks.count + 1
            for subfield in subfields {
                let bytes = Array(subfield.code.utf8) + converted(subfield.value)
                bytes.withCharacters { moonshelf_marc_add_subfield(place.pointer, $0, bytes.count) }
                length += bytes.count + 1
            }
            return length
        }
    }

    private func converted(_ text: String) -> [UInt8] {
        // Without the marks of ISO 2709, and in XML without what has no place there.
        let bytes = text.utf8.filter { byte in
            byte > 0x1F || byte == 0x0A || byte == 0x0D || byte == 0x09 || !isXML && byte > 0 && byte < 0x1D
        }
        guard converter != nil, bytes.contains(where: { $0 >= 0x80 }) else { return Array(bytes) }
        if let all = encoded(text) { return all }
        // A character that MARC-8 lacks is written by its number, as the Library of Congress has it.
        return text.flatMap { character -> [UInt8] in
            encoded(String(character))
                ?? character.unicodeScalars.flatMap {
                    Array("&#x\(String($0.value, radix: 16, uppercase: true));".utf8)
                }
        }
    }

    /// The text in the encoding; nil where it is not the same when it is read again: libyaz leaves out what it does not know.
    private func encoded(_ text: String) -> [UInt8]? {
        guard let converter else { return nil }
        let given = Array(text.utf8)
        let (result, count) = converter.there.convert(given[...])
        guard count == given.count else { return nil }
        let (again, read) = converter.back.convert(result[...])
        return read == result.count && String(decoding: again, as: UTF8.self) == text ? result : nil
    }
}

extension [UInt8] {
    fileprivate func withCharacters(_ body: (UnsafePointer<CChar>?) -> Void) {
        (self + [0]).withUnsafeBytes { body($0.baseAddress?.assumingMemoryBound(to: CChar.self)) }
    }
}
