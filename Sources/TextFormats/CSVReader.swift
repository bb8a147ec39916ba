/// Reads CSV (RFC 4180) record by record from a source of any length; memory depends on the longest record only.
///
/// Takes what is found in the wild: CRLF, LF and lone CR, also mixed; a UTF-8 byte order mark; quoted fields with
/// doubled quotes and line breaks; a last line without end; empty lines, which are passed over; quotes in the middle of
/// an unquoted field, which are text. Records may differ in length.
///
/// After an error the reader stands at the next record, so that one bad record costs no other. Of a quote that is never
/// closed, or closed on a later line in the middle of text, only the first line is given up; what follows it is read
/// afresh.
///
/// ```swift
/// var reader = CSVReader(source: try FileByteSource(path: "books.csv"))
/// while let record = try reader.next() { ... }
/// ```
package struct CSVReader<Source: ByteSource> {
    private var source: Source
    private var window = ByteWindow()
    private let maximumRecordLength: Int
    private var line = 1
    private var isAtStart = true
    /// Whether the rest of the current line belongs to a record that was given up.
    private var skipsLine = false
    private var fieldCount = 8
    /// How long a record may be just now: the maximum, or less inside a stretch that a given-up record ran through.
    private var lengthLimit: Int
    /// Where that stretch ends, as an offset of the source.
    private var troubledUntil = 0

    /// What stands between two fields. Until the first record is read it is nil if it is to be detected.
    package private(set) var separator: UInt8?

    /// - Parameters:
    ///   - separator: `,` `;` or a tab, as a byte; nil takes the one that is most frequent in the first record.
    ///   - maximumRecordLength: bytes; a longer record is an error. It bounds the memory a hostile file can take.
    ///     Behind a record that ran too far the limit is lower for a while, so that time is bounded too.
    package init(source: Source, separator: UInt8? = nil, maximumRecordLength: Int = 1 << 20) {
        self.source = source
        self.separator = separator
        self.maximumRecordLength = max(1, maximumRecordLength)
        lengthLimit = self.maximumRecordLength
    }

    /// The next record, or nil at the end.
    ///
    /// - Throws: ``TextError`` with the place of the fault. Call again to go on behind it; after
    ///   ``TextError/Code/unreadable`` there is nothing more.
    package mutating func next() throws(TextError) -> CSVRecord? {
        if isAtStart { try begin() }
        if skipsLine { try finishSkippedLine() }
        if window.offset >= troubledUntil { lengthLimit = maximumRecordLength }
        while true {
            let outcome = scan()
            switch outcome {
            case .record(let fields, let length, let lines):
                let record = CSVRecord(fields: fields, line: line)
                advance(by: length, lines: lines)
                fieldCount = fields.count
                return record
            case .blank(let length): advance(by: length, lines: 1)
            case .end: return nil
            case .incomplete: try fill()
            case .fault(let fault, let resume): throw giveUp(fault, resumeAt: resume)
            }
        }
    }

    private func scan() -> CSVScanner.Outcome {
        window.withBytes { bytes in
            // Two bytes beyond the limit: one shows that the record is too long, the other may be its line end.
            let visible = UnsafeBufferPointer(rebasing: bytes.prefix(lengthLimit + 2))
            var scanner = CSVScanner(
                visible, isWhole: window.isComplete && visible.count == bytes.count,
                separator: separator ?? UInt8.comma, maximumLength: lengthLimit, expectedFields: fieldCount)
            return scanner.record()
        }
    }

    private mutating func advance(by length: Int, lines: Int) {
        window.consume(length)
        line += lines
    }

    private mutating func fill() throws(TextError) {
        do {
            try window.fill(from: &source)
        } catch {
            window.close()
            throw TextError(.unreadable, "\(error)", line: line, column: 1, offset: window.offset)
        }
    }

    /// Reports `fault` and moves on: to `resume`, or behind the end of the first line of the record.
    private mutating func giveUp(_ fault: CSVScanner.Fault, resumeAt resume: Int?) -> TextError {
        let error = window.withBytes { bytes in
            TextError.located(
                fault.code, fault.message, at: fault.offset, in: bytes, firstLine: line, base: window.offset)
        }
        if fault.isRunaway { limitLength() }
        if let resume {
            let lines = window.withBytes { UnsafeBufferPointer(rebasing: $0[..<resume]).lineEndCount }
            advance(by: resume, lines: lines)
        } else {
            skipsLine = true
        }
        return error
    }

    /// Halves what the next records may take until the reader is past what the runaway record took.
    ///
    /// Otherwise a hostile file could make every line open a quote, and each be searched up to the maximum in vain.
    private mutating func limitLength() {
        troubledUntil = max(troubledUntil, window.offset + min(window.count, lengthLimit))
        lengthLimit = max(min(256, maximumRecordLength), lengthLimit / 2)
    }

    private mutating func finishSkippedLine() throws(TextError) {
        while true {
            let found = window.withBytes { $0.lineEnd(isWhole: window.isComplete) }
            if let end = found {
                advance(by: end, lines: 1)
                break
            }
            if window.isComplete {
                window.consume(window.count)
                break
            }
            // A carriage return at the very end stays, since a line feed may follow.
            window.consume(max(0, window.count - 1))
            try fill()
        }
        skipsLine = false
    }

    /// Passes over a byte order mark and finds the separator.
    private mutating func begin() throws(TextError) {
        isAtStart = false
        try fill()
        let mark = window.withBytes { bytes in Array(bytes.prefix(3)) }
        if mark.starts(with: [0xFF, 0xFE]) || mark.starts(with: [0xFE, 0xFF]) {
            window.close()
            throw TextError(.encoding, "the file is UTF-16; save it as UTF-8", line: 1, column: 1, offset: 0)
        }
        if mark == [0xEF, 0xBB, 0xBF] { window.consume(3) }
        if separator == nil {
            separator = window.withBytes { CSVScanner.detectSeparator(in: $0) }
        }
    }
}
