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
    /// Its control number, as far as one can be found: of a record that cannot be read too.
    package var controlNumber: String?

    init(record: MARCRecord?, number: Int, faults: [MARCFault], controlNumber: String? = nil) {
        self.record = record
        self.number = number
        self.faults = faults
        self.controlNumber = record?.controlNumber ?? controlNumber
    }
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
