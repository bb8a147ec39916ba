/// Reads the elements of a top-level JSON array one by one, so that a document of a million records needs the memory of
/// one. A file with one value a line (JSON Lines) is read the same way.
package struct JSONArrayReader<Source: ByteSource> {
    private enum Stage {
        case start, elements(isFirst: Bool), lines, end
    }

    private var source: Source
    private var window = ByteWindow()
    private let maximumDepth: Int
    private let maximumElementLength: Int
    private let skipsByteOrderMark: Bool
    private var line = 1
    private var stage = Stage.start

    /// - Parameters:
    ///   - maximumDepth: nesting of one element beyond it is an error.
    ///   - maximumElementLength: bytes; a longer element is an error.
    ///   - skipsByteOrderMark: passes over one at the front, as RFC 8259 allows a reader to; else it is a fault.
    package init(
        source: Source, maximumDepth: Int = JSONParser.defaultMaximumDepth, maximumElementLength: Int = 1 << 24,
        skipsByteOrderMark: Bool = false
    ) {
        self.source = source
        self.maximumDepth = maximumDepth
        self.maximumElementLength = max(1, maximumElementLength)
        self.skipsByteOrderMark = skipsByteOrderMark
    }

    /// The next element and the line on which it begins, or nil at the end.
    ///
    /// - Throws: ``TextError``. After a fault inside a JSON Lines record the reader stands at the next line; inside an
    ///   array the beginning of the next element is unknown, so that nothing more comes.
    package mutating func next() throws(TextError) -> (value: JSON, line: Int)? {
        if case .start = stage { try begin() }
        switch stage {
        case .start, .end: return nil
        case .elements(let isFirst): return try nextElement(isFirst: isFirst)
        case .lines: return try nextLine()
        }
    }

    private mutating func begin() throws(TextError) {
        stage = .lines
        if skipsByteOrderMark { try passByteOrderMark() }
        guard let first = try nextByte() else {
            stage = .end
            return
        }
        if first == UInt8.openBracket {
            window.consume(1)
            stage = .elements(isFirst: true)
        }
    }

    private mutating func passByteOrderMark() throws(TextError) {
        while window.count < 3 && !window.isComplete { try fill() }
        if window.withBytes({ $0.starts(with: [0xEF, 0xBB, 0xBF]) }) { window.consume(3) }
    }

    private mutating func nextElement(isFirst: Bool) throws(TextError) -> (value: JSON, line: Int)? {
        stage = .end
        guard let byte = try nextByte() else { throw fault("the array has no end") }
        if byte == UInt8.closeBracket {
            window.consume(1)
            if try nextByte() != nil { throw fault("unexpected text after the array") }
            return nil
        }
        if !isFirst {
            guard byte == UInt8.comma else { throw fault("a comma or ']' is expected in the array") }
            window.consume(1)
            guard try nextByte() != nil else { throw fault("the array has no end") }
        }
        let element = try element()
        stage = .elements(isFirst: false)
        return element
    }

    private mutating func nextLine() throws(TextError) -> (value: JSON, line: Int)? {
        guard try nextByte() != nil else {
            stage = .end
            return nil
        }
        while true {
            if let end = window.withBytes({ $0.lineEnd(isWhole: window.isComplete) }) ?? wholeRest {
                return try parse(end)
            }
            try limit()
            try fill()
        }
    }

    private var wholeRest: Int? { window.isComplete ? window.count : nil }

    /// Parses the element at the front of the window, which grows until the element is whole.
    private mutating func element() throws(TextError) -> (value: JSON, line: Int) {
        var finder = JSONElementFinder()
        while true {
            let isWhole = window.isComplete
            if let end = window.withBytes({ finder.end(in: $0, isWhole: isWhole) }) { return try parse(end) }
            try limit()
            try fill()
        }
    }

    /// Parses the first `end` bytes of the window and passes over them.
    private mutating func parse(_ end: Int) throws(TextError) -> (value: JSON, line: Int) {
        let start = line
        let (result, lines) = window.withBytes { bytes in
            let element = UnsafeBufferPointer(rebasing: bytes[..<end])
            let result = Result { () throws(TextError) in
                try JSONParser.parse(element, maximumDepth: maximumDepth, firstLine: start, base: window.offset)
            }
            return (result, element.lineEndCount)
        }
        window.consume(end)
        line += lines
        return (try result.get(), start)
    }

    private func limit() throws(TextError) {
        if window.count > maximumElementLength {
            throw fault("the element is longer than \(maximumElementLength) bytes", code: .tooLong)
        }
    }

    /// The next byte that is not white space, which is passed over and its lines counted.
    private mutating func nextByte() throws(TextError) -> UInt8? {
        while true {
            let blank = window.withBytes { bytes in
                var count = 0
                while count < bytes.count, bytes[count].isJSONWhiteSpace { count += 1 }
                // A carriage return waits for the line feed that may follow it, so that both count as one line end.
                let isCut = count > 0 && count == bytes.count && bytes[count - 1] == UInt8.carriageReturn
                return isCut && !window.isComplete ? count - 1 : count
            }
            line += window.withBytes { UnsafeBufferPointer(rebasing: $0[..<blank]).lineEndCount }
            window.consume(blank)
            if let byte = window.withBytes({ $0.first }), !byte.isJSONWhiteSpace { return byte }
            if window.isComplete { return nil }
            try fill()
        }
    }

    private mutating func fill() throws(TextError) {
        do {
            try window.fill(from: &source)
        } catch {
            stage = .end
            window.close()
            throw TextError(.unreadable, "\(error)", line: line, column: 1, offset: window.offset)
        }
    }

    private func fault(_ message: String, code: TextError.Code = .syntax) -> TextError {
        TextError(code, message, line: line, column: 1, offset: window.offset)
    }
}
