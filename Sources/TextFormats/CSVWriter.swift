/// Writes CSV (RFC 4180): CRLF line ends, quotes only where they are needed.
///
/// What it writes, ``CSVReader`` reads back as it was. With `guardsFormulas` text that a spreadsheet would take for a
/// formula gets a `'` in front, which is for reports that people open, never for exports.
package struct CSVWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private let separator: UInt8
    private let guardsFormulas: Bool

    package init(separator: UInt8 = UInt8(ascii: ","), guardsFormulas: Bool = false) {
        self.separator = separator
        self.guardsFormulas = guardsFormulas
    }

    /// What was written so far.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Hands out what was written and starts anew, keeping the settings.
    package mutating func take() -> [UInt8] {
        let written = bytes
        bytes.removeAll(keepingCapacity: true)
        return written
    }

    package mutating func record(_ fields: some Sequence<String>) {
        let start = bytes.count
        var isFirst = true
        for field in fields {
            if !isFirst { bytes.append(separator) }
            append(field)
            isFirst = false
        }
        // A line of nothing would be passed over by readers as a blank one.
        if bytes.count == start { bytes.append(contentsOf: [UInt8.quote, UInt8.quote]) }
        bytes.append(UInt8.carriageReturn)
        bytes.append(UInt8.lineFeed)
    }

    private mutating func append(_ field: String) {
        var field = field
        field.withUTF8 { append($0) }
    }

    private mutating func append(_ field: UnsafeBufferPointer<UInt8>) {
        let isGuarded = guardsFormulas && field.first.map(CSVWriter.beginsFormula) == true
        let needsQuotes = field.contains {
            $0 == UInt8.quote || $0 == separator || $0 == UInt8.lineFeed || $0 == UInt8.carriageReturn
        }
        if needsQuotes { bytes.append(UInt8.quote) }
        if isGuarded { bytes.append(UInt8(ascii: "'")) }
        if needsQuotes {
            for byte in field {
                if byte == UInt8.quote { bytes.append(byte) }
                bytes.append(byte)
            }
            bytes.append(UInt8.quote)
        } else {
            bytes.append(contentsOf: field)
        }
    }

    /// The first characters by which spreadsheets tell a formula (OWASP, CSV injection).
    private static func beginsFormula(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8.plus, UInt8.minus, UInt8(ascii: "@"), UInt8.tab, UInt8.carriageReturn: true
        default: false
        }
    }
}
