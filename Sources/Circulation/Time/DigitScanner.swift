/// Reads the fixed fields of dates and times from ASCII bytes.
///
/// Works on a copy of the text's front on the stack, since these texts are short and read by the million; a text longer
/// than any of them has failed from the start.
struct DigitScanner {
    private static let capacity = 40

    private var bytes: InlineArray<40, UInt8> = .init(repeating: 0)
    private var position = 0
    private var end = 0
    private(set) var hasFailed = false

    init(_ text: String) {
        let count = text.utf8.count
        guard count <= DigitScanner.capacity else {
            hasFailed = true
            return
        }
        for byte in text.utf8 {
            bytes[end] = byte
            end += 1
        }
    }

    var isAtEnd: Bool { position == end }

    /// Exactly `count` decimal digits; marks the failure if there are fewer.
    mutating func number(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else {
                hasFailed = true
                return 0
            }
            value = value * 10 + Int(digit)
        }
        return value
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < end, UInt32(bytes[position]) == character.value else { return false }
        position += 1
        return true
    }

    mutating func expect(_ character: Unicode.Scalar) {
        if !take(character) { hasFailed = true }
    }

    /// The digits of a fraction as millionths; those behind the sixth do not count.
    mutating func millionths() -> Int64 {
        var value: Int64 = 0
        var digits = 0
        while let digit = digit() {
            if digits < 6 { value = value * 10 + digit }
            digits += 1
        }
        if digits == 0 { hasFailed = true }
        while digits < 6 {
            value *= 10
            digits += 1
        }
        return value
    }

    /// Decimal digits that fit 64 bits.
    mutating func integer() -> Int64 {
        var value: Int64 = 0
        let start = position
        while let digit = digit() {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(digit)
            if overflow || carry { hasFailed = true }
            value = sum
        }
        if position == start { hasFailed = true }
        return value
    }

    private mutating func digit() -> Int64? {
        guard position < end, bytes[position] &- 0x30 < 10 else { return nil }
        position += 1
        return Int64(bytes[position - 1] &- 0x30)
    }
}
