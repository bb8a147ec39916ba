/// Finds the first record in a stretch of bytes.
struct CSVScanner {
    enum Outcome {
        /// A record, the bytes it takes with its line end, and how many lines it covers.
        case record(fields: [String], length: Int, lines: Int)
        case blank(length: Int)
        case end
        /// The record may go on behind these bytes.
        case incomplete
        /// What is wrong, and where to go on; nil: behind the end of this line, which is not in sight.
        case fault(Fault, resume: Int?)
    }

    struct Fault: Error {
        let code: TextError.Code
        let message: String
        let offset: Int
        /// Whether the record had no end in reach, so that its lines are looked at again.
        var isRunaway = false
    }

    /// Where a field's text lies. Text is made of it only once the record is known to be whole, so that records that
    /// run too far cost little.
    private struct Piece {
        let start: Int
        let end: Int
        /// How many doubled quotes are in it.
        let doubled: Int
        let isASCII: Bool
    }

    /// How a field ended.
    private enum FieldEnd {
        case separator, record, incomplete, fault(Fault)
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let isWhole: Bool
    private let separator: UInt8
    private let maximumLength: Int
    private var position = 0
    private var lines = 0
    private var pieces: [Piece] = []

    init(
        _ bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool, separator: UInt8, maximumLength: Int, expectedFields: Int
    ) {
        self.bytes = bytes
        self.isWhole = isWhole
        self.separator = separator
        self.maximumLength = maximumLength
        pieces.reserveCapacity(expectedFields)
    }

    mutating func record() -> Outcome {
        guard !bytes.isEmpty else { return isWhole ? .end : .incomplete }
        if let blank = blankLine() { return blank }
        while true {
            let opening = position
            let isQuoted = position < bytes.count && bytes[position] == UInt8.quote
            switch isQuoted ? quotedField() : plainField() {
            case .separator: continue
            case .record: return finished()
            case .incomplete: return unfinished(openQuote: isQuoted ? opening : nil)
            case .fault(let fault): return textAfterQuote(fault, openQuote: opening)
            }
        }
    }

    private func blankLine() -> Outcome? {
        guard bytes[0] == UInt8.lineFeed || bytes[0] == UInt8.carriageReturn else { return nil }
        return bytes.lineEnd(isWhole: isWhole).map { .blank(length: $0) } ?? .incomplete
    }

    private func finished() -> Outcome {
        if position > maximumLength + 2 { return .fault(tooLong, resume: position) }
        do throws(Fault) {
            return .record(fields: try fields(), length: position, lines: lines)
        } catch {
            return .fault(error, resume: position)
        }
    }

    /// Within a line, that line is at fault. Across lines it is more likely that the first quote opened by mistake, so
    /// that only its line is given up.
    private func textAfterQuote(_ fault: Fault, openQuote: Int) -> Outcome {
        if lines == 0 { return .fault(fault, resume: lineEnd(after: fault.offset)) }
        let message = "the quote that opens here is closed on a later line, where text follows it"
        let earlier = Fault(code: .syntax, message: message, offset: openQuote, isRunaway: true)
        return .fault(earlier, resume: lineEnd(after: 0))
    }

    private func unfinished(openQuote: Int?) -> Outcome {
        if let openQuote, isWhole {
            let fault = Fault(
                code: .syntax, message: "the quote that opens here is never closed", offset: openQuote, isRunaway: true)
            return .fault(fault, resume: lineEnd(after: 0))
        }
        if bytes.count > maximumLength { return .fault(tooLong, resume: lineEnd(after: 0)) }
        return .incomplete
    }

    private var tooLong: Fault {
        Fault(code: .tooLong, message: "the record is longer than \(maximumLength) bytes", offset: 0, isRunaway: true)
    }

    /// The offset behind the first line end from `offset` on, quotes or not.
    private func lineEnd(after offset: Int) -> Int? {
        let rest = UnsafeBufferPointer(rebasing: bytes[offset...])
        if let end = rest.lineEnd(isWhole: isWhole) { return offset + end }
        return isWhole ? bytes.count : nil
    }
}

// MARK: - Fields

extension CSVScanner {
    private mutating func plainField() -> FieldEnd {
        let start = position
        var all: UInt8 = 0
        var index = position
        while index < bytes.count {
            let byte = bytes[index]
            if byte == separator || byte == UInt8.lineFeed || byte == UInt8.carriageReturn { break }
            all |= byte
            index += 1
        }
        position = index
        if index == bytes.count && !isWhole { return .incomplete }
        pieces.append(Piece(start: start, end: index, doubled: 0, isASCII: all < 0x80))
        return fieldEnd() ?? .record
    }

    private mutating func quotedField() -> FieldEnd {
        let start = position + 1
        var index = start
        var doubled = 0
        var all: UInt8 = 0
        while index < bytes.count {
            let byte = bytes[index]
            all |= byte
            if byte == UInt8.quote {
                guard index + 1 < bytes.count, bytes[index + 1] == UInt8.quote else { break }
                doubled += 1
                index += 1
            } else if byte == UInt8.lineFeed {
                lines += 1
            } else if byte == UInt8.carriageReturn, index + 1 < bytes.count, bytes[index + 1] != UInt8.lineFeed {
                lines += 1
            }
            index += 1
        }
        guard index < bytes.count, isWhole || index + 1 < bytes.count else { return .incomplete }
        pieces.append(Piece(start: start, end: index, doubled: doubled, isASCII: all < 0x80))
        position = index + 1
        if let end = fieldEnd() { return end }
        return .fault(
            Fault(code: .syntax, message: "text after the closing quote of a field", offset: position))
    }

    /// Passes over what ends a field; nil if something else stands there.
    private mutating func fieldEnd() -> FieldEnd? {
        guard position < bytes.count else {
            lines += 1
            return .record
        }
        let byte = bytes[position]
        if byte == separator {
            position += 1
            return .separator
        }
        guard byte == UInt8.lineFeed || byte == UInt8.carriageReturn else { return nil }
        if byte == UInt8.carriageReturn {
            if position + 1 == bytes.count && !isWhole { return .incomplete }
            if position + 1 < bytes.count, bytes[position + 1] == UInt8.lineFeed { position += 1 }
        }
        position += 1
        lines += 1
        return .record
    }
}

// MARK: - Text

extension CSVScanner {
    private func fields() throws(Fault) -> [String] {
        var fields: [String] = []
        fields.reserveCapacity(pieces.count)
        for piece in pieces { fields.append(try text(of: piece)) }
        return fields
    }

    private func text(of piece: Piece) throws(Fault) -> String {
        let content = UnsafeBufferPointer(rebasing: bytes[piece.start..<piece.end])
        if piece.doubled == 0 {
            if piece.isASCII { return String(decoding: content, as: UTF8.self) }
            if let text = String(validating: content, as: UTF8.self) { return text }
        }
        let valid = piece.isASCII ? content.count : content.validUTF8PrefixLength
        if valid < content.count {
            throw Fault(code: .encoding, message: "the bytes are not UTF-8", offset: piece.start + valid)
        }
        return CSVScanner.withSingleQuotes(content, removing: piece.doubled)
    }

    private static func withSingleQuotes(_ content: UnsafeBufferPointer<UInt8>, removing doubled: Int) -> String {
        String(unsafeUninitializedCapacity: content.count - doubled) { target in
            var index = 0
            var count = 0
            while index < content.count {
                target[count] = content[index]
                count += 1
                index += content[index] == UInt8.quote ? 2 : 1
            }
            return count
        }
    }
}

// MARK: - The separator

extension CSVScanner {
    /// The most frequent of comma, semicolon, tab and bar outside quotes in the first record; a comma if there is none.
    static func detectSeparator(in bytes: UnsafeBufferPointer<UInt8>) -> UInt8 {
        let candidates = [UInt8.comma, UInt8.semicolon, UInt8.tab, UInt8(ascii: "|")]
        var counts = [0, 0, 0, 0]
        var isQuoted = false
        for byte in bytes {
            if byte == UInt8.quote { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == UInt8.lineFeed || byte == UInt8.carriageReturn {
                if counts.contains(where: { $0 > 0 }) { break }
                continue
            }
            if let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
        }
        var best = 0
        for index in 1..<candidates.count where counts[index] > counts[best] {
            best = index
        }
        return candidates[best]
    }
}
