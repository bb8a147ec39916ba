/// Damages files at random, as transfers, spreadsheets and ill will do.
package struct ByteMutator {
    private var random: SplitMix

    package init(seed: UInt64) {
        random = SplitMix(seed: seed)
    }

    /// One to six changes of a file.
    package mutating func mutate(_ source: [UInt8]) -> [UInt8] {
        var bytes = source
        for _ in 0..<Int.random(in: 1...6, using: &random) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let index = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: bytes.removeSubrange(index...)
        case 1: bytes.removeSubrange(stretch(of: bytes, upTo: 40))
        case 2: bytes.insert(contentsOf: Array(bytes[stretch(of: bytes, upTo: 120)]), at: index)
        case 3, 4: flip(&bytes, at: index)
        case 5: swapLines(&bytes)
        case 6, 7: replaceNumber(in: &bytes, near: index)
        default: bytes.insert(contentsOf: ByteMutator.pieces.randomElement(using: &random) ?? [], at: index)
        }
    }

    private mutating func stretch(of bytes: [UInt8], upTo length: Int) -> Range<Int> {
        let start = Int.random(in: 0...bytes.count, using: &random)
        return start..<min(bytes.count, start + Int.random(in: 1...length, using: &random))
    }

    private mutating func flip(_ bytes: inout [UInt8], at index: Int) {
        guard index < bytes.count else { return }
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }

    private mutating func swapLines(_ bytes: inout [UInt8]) {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        lines.swapAt(
            Int.random(in: 0..<lines.count, using: &random), Int.random(in: 0..<lines.count, using: &random))
        bytes = Array(lines.joined(separator: [0x0A]))
    }

    /// Puts a number at the edge of something in the place of the next one.
    private mutating func replaceNumber(in bytes: inout [UInt8], near index: Int) {
        guard let start = bytes[index...].firstIndex(where: ByteMutator.isDigit) else { return }
        let end = bytes[start...].firstIndex { !ByteMutator.isDigit($0) } ?? bytes.count
        bytes.replaceSubrange(start..<end, with: (ByteMutator.numbers.randomElement(using: &random) ?? "").utf8)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static let numbers = [
        "0", "-1", "00", "1e400", "-0.0", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "99999999999999999999", "10001", "0000", "9999", "10000", "13", "32", "2026-02-30", "9999-12-31", "0001-01-01",
        "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "٣", "1.5", "NaN", "0x10", "9780140449136", "978014044913X",
    ]

    private static let pieces: [[UInt8]] =
        [
            "\0", "\"", "\"\"", "'", "\n", "\r", "\r\n", "\n\n", ",", ";", "\t", "|", "\\", "\\u0000", "\\ud800", "{",
            "}", "[",
            "]", ":", "null", "true", "[]", "{}", "=cmd|' /C calc'!A0", "\u{FEFF}", "\u{202E}", "\u{1B}[2J", "\u{301}",
            "\u{1F}", "e\u{301}", "é", "İ", "ß", " ", "\u{A0}", "\u{2028}", "isbn", "title", "username", "(", "%", "_",
        ].map { Array($0.utf8) } + [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF4, 0x90, 0x80, 0x80], [0xEF, 0xBB, 0xBF],
            [0xFF, 0xFE], Array(repeating: 0x5B, count: 2000), Array(repeating: 0x78, count: 30_000),
            Array(repeating: 0x22, count: 999), Array(repeating: 0x2C, count: 3000), Array(repeating: 0x00, count: 64),
            Array(repeating: [0x7B, 0x22, 0x61, 0x22, 0x3A], count: 700).flatMap { $0 },
        ]
}
