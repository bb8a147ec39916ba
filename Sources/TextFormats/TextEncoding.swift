/// How the bytes of a text file stand for characters.
package enum TextEncoding: String, Hashable, Sendable, CaseIterable {
    case utf8 = "UTF-8"
    case utf16LittleEndian = "UTF-16LE"
    case utf16BigEndian = "UTF-16BE"
    case windows1252 = "Windows-1252"
    case latin1 = "ISO-8859-1"

    /// An encoding by one of its names: `utf-8`, `UTF16LE`, `latin1`, `cp1252`.
    package init?(name: String) {
        let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
        let others: [String: TextEncoding] = [
            "utf16": .utf16LittleEndian, "latin1": .latin1, "iso88591": .latin1, "cp1252": .windows1252,
            "ansi": .windows1252,
        ]
        let known = Self.allCases.first { $0.rawValue.lowercased().filter { $0 != "-" } == plain }
        guard let found = known ?? others[plain] else { return nil }
        self = found
    }

    /// The encoding of a file: by its mark, or UTF-16 by its zeros, else UTF-8 where all of it is that, else Windows-1252, of which ISO
    /// 8859-1 is a part. What can be read once only, such as a pipe, is UTF-8 unless it has a mark.
    package static func of(file path: String) throws -> TextEncoding {
        let source = try FileByteSource(path: path)
        guard source.isRegular else { return .utf8 }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var (kept, isFirst) = (0, true)
        while true {
            let count = try buffer.withUnsafeMutableBytes { bytes in
                try source.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[kept...]))
            }
            let filled = kept + count
            if isFirst, filled >= 2 {
                if let wide = ofBeginning(buffer[..<filled]) { return wide }
                isFirst = false
            }
            let valid = buffer[..<filled].withUnsafeBufferPointer(\.validUTF8PrefixLength)
            if count == 0 { return valid == filled ? .utf8 : .windows1252 }
            // A character may be cut at the end of what was read.
            guard filled - valid < 4 else { return .windows1252 }
            buffer.withUnsafeMutableBytes { bytes in
                for index in valid..<filled { bytes[index - valid] = bytes[index] }
            }
            kept = filled - valid
        }
    }

    /// UTF-16, if a text begins with its mark, or has zeros in every other place of a line of plain letters; nil: none of these.
    package static func ofBeginning(_ bytes: ArraySlice<UInt8>) -> TextEncoding? {
        if bytes.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian }
        if bytes.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
        let head = Array(bytes.prefix(1_024))
        guard head.count >= 8 else { return nil }
        var zeros = (even: 0, odd: 0)
        for index in head.indices where head[index] == 0 {
            if index % 2 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
        }
        // A quarter of the characters of a header are plain letters and separators, whatever the language.
        let enough = head.count / 8
        if zeros.odd > enough, zeros.even * 16 < zeros.odd { return .utf16LittleEndian }
        if zeros.even > enough, zeros.odd * 16 < zeros.even { return .utf16BigEndian }
        return nil
    }
}

/// The bytes of a source as UTF-8, whatever encoding they are in. What stands for no character becomes a byte that is no UTF-8 either, so
/// that the reader reports it where it stands.
package struct DecodedByteSource<Source: ByteSource>: ByteSource {
    private var source: Source
    private let encoding: TextEncoding
    private var waiting: [UInt8] = []
    private var next = 0
    /// Bytes of a character that is not whole yet.
    private var cut: [UInt8] = []
    private var isAtStart = true
    private var isAtEnd = false

    package init(_ source: Source, from encoding: TextEncoding) {
        self.source = source
        self.encoding = encoding
    }

    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if encoding == .utf8 { return try source.read(into: buffer) }
        while next == waiting.count && !isAtEnd { try fill() }
        let count = min(buffer.count, waiting.count - next)
        buffer.copyBytes(from: waiting[next..<(next + count)])
        next += count
        return count
    }

    private mutating func fill() throws {
        var raw = [UInt8](repeating: 0, count: 1 << 15)
        let count = try raw.withUnsafeMutableBytes { try source.read(into: $0) }
        isAtEnd = count == 0
        (waiting, next) = ([], 0)
        if encoding == .windows1252 || encoding == .latin1 {
            for byte in raw[..<count] { append(byte) }
        } else {
            appendUnits(of: cut + raw[..<count])
        }
    }

    private mutating func append(_ byte: UInt8) {
        switch byte {
        case ..<0x80: waiting.append(byte)
        case 0x80..<0xA0 where encoding == .windows1252:
            let scalar = Self.upperControls[Int(byte) - 0x80]
            waiting +=
                scalar == 0 ? [Self.noCharacter] : Array(String(UnicodeScalar(scalar).map(Character.init) ?? " ").utf8)
        default: waiting += [0xC0 | byte >> 6, 0x80 | byte & 0x3F]
        }
    }

    private mutating func appendUnits(of bytes: [UInt8]) {
        func unit(_ index: Int) -> UInt16 {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return encoding == .utf16LittleEndian ? second << 8 | first : first << 8 | second
        }
        var index = 0
        while index + 1 < bytes.count {
            let value = unit(index)
            if UTF16.isLeadSurrogate(value) {
                guard index + 3 < bytes.count else { break }
                let trail = unit(index + 2)
                if UTF16.isTrailSurrogate(trail) {
                    let scalar = 0x10000 + (UInt32(value & 0x3FF) << 10 | UInt32(trail & 0x3FF))
                    append(scalar)
                    index += 4
                    continue
                }
            }
            if !(isAtStart && value == 0xFEFF) { append(UInt32(value)) }
            isAtStart = false
            index += 2
        }
        cut = isAtEnd ? [] : Array(bytes[index...])
        if isAtEnd, index < bytes.count { waiting.append(Self.noCharacter) }
    }

    private mutating func append(_ value: UInt32) {
        guard let scalar = UnicodeScalar(value) else { return waiting.append(Self.noCharacter) }
        waiting += Array(String(Character(scalar)).utf8)
    }

    private static var noCharacter: UInt8 { 0xFF }

    /// 0x80 to 0x9F in Windows-1252, from Unicode's mapping table CP1252.TXT; 0 for the five that stand for nothing.
    private static var upperControls: [UInt16] {
        [
            0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,
            0x017D,
            0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,
            0x017E, 0x0178,
        ]
    }
}
