/// The value of a Lua numeral: an integer, or a float where it has a point or an exponent or is too large.
///
/// Decimal integers beyond 64 bits become floats, hexadecimal ones wrap around (Lua 5.4 manual, 3.1).
enum Numeral: Hashable, Sendable {
    case integer(Int64)
    case number(Double)

    /// Reads a numeral without sign or spaces; nil where it is malformed.
    init?(_ bytes: [UInt8]) {
        if bytes.count >= 2, bytes[0] == 0x30, bytes[1] == 0x78 || bytes[1] == 0x58 {
            self.init(hexadecimal: bytes.dropFirst(2))
        } else {
            self.init(decimal: bytes)
        }
    }

    private init?(decimal bytes: [UInt8]) {
        let parts = Parts(bytes[...], exponentMark: UInt8(ascii: "e")) { $0.isDigit }
        guard let parts else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        if parts.isWhole, let integer = Int64(text) {
            self = .integer(integer)
        } else {
            // The grammar has been checked; what Swift does not read is out of a double's range.
            self = .number(Double(parts.normalized) ?? (parts.exponentIsNegative ? 0 : .infinity))
        }
    }

    private init?(hexadecimal bytes: ArraySlice<UInt8>) {
        let parts = Parts(bytes, exponentMark: UInt8(ascii: "p")) { $0.isHexadecimalDigit }
        guard let parts else { return nil }
        if parts.isWhole {
            let bits = parts.whole.reduce(UInt64(0)) { $0 << 4 | UInt64($1.hexadecimalValue ?? 0) }
            self = .integer(Int64(bitPattern: bits))
        } else {
            self = .number(parts.hexadecimalValue)
        }
    }

    /// The digits of a numeral around its point, and its exponent.
    private struct Parts {
        var whole: ArraySlice<UInt8>
        var fraction: ArraySlice<UInt8> = []
        var hasPoint = false
        var exponent: ArraySlice<UInt8>?
        var exponentIsNegative = false

        var isWhole: Bool { !hasPoint && exponent == nil }

        init?(_ bytes: ArraySlice<UInt8>, exponentMark: UInt8, isDigit: (UInt8) -> Bool) {
            whole = bytes.prefix(while: isDigit)
            var rest = bytes.dropFirst(whole.count)
            if rest.first == UInt8(ascii: ".") {
                hasPoint = true
                fraction = rest.dropFirst().prefix(while: isDigit)
                rest = rest.dropFirst(1 + fraction.count)
            }
            guard !whole.isEmpty || !fraction.isEmpty else { return nil }
            guard let mark = rest.first else { return }
            guard mark | 0x20 == exponentMark else { return nil }
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                exponentIsNegative = sign == UInt8(ascii: "-")
                rest = rest.dropFirst()
            }
            guard !rest.isEmpty, rest.allSatisfy(\.isDigit) else { return nil }
            exponent = rest
        }

        /// The decimal numeral with a digit on both sides of its point.
        var normalized: String {
            let digits = { (part: ArraySlice<UInt8>) in String(decoding: part, as: UTF8.self) }
            let exponentText = exponent.map { "e\(exponentIsNegative ? "-" : "")\(digits($0))" } ?? ""
            return "0\(digits(whole)).\(digits(fraction))0\(exponentText)"
        }

        /// The exponent, held within what can matter for a numeral that fits into memory.
        private var exponentValue: Int {
            let magnitude = (exponent ?? []).reduce(0) { min($0 * 10 + Int($1) - 0x30, 1 << 40) }
            return exponentIsNegative ? -magnitude : magnitude
        }

        /// Rounds once, to nearest, ties to even: the digits beyond 64 bits only leave a sticky bit.
        var hexadecimalValue: Double {
            var mantissa: UInt64 = 0
            var exponent = exponentValue
            var sticky = false
            for (index, digit) in (Array(whole) + Array(fraction)).enumerated() {
                let value = UInt64(digit.hexadecimalValue ?? 0)
                let isFraction = index >= whole.count
                if mantissa >> 56 == 0 {
                    mantissa = mantissa << 4 | value
                    exponent -= isFraction ? 4 : 0
                } else {
                    sticky = sticky || value != 0
                    exponent += isFraction ? 0 : 4
                }
            }
            if sticky { mantissa |= 1 }
            return Parts.scale(mantissa, by: exponent)
        }

        private static func scale(_ mantissa: UInt64, by exponent: Int) -> Double {
            guard mantissa != 0 else { return 0 }
            let top = 63 - mantissa.leadingZeroBitCount + exponent
            if top > 1023 { return .infinity }
            if top < -1080 { return 0 }
            let kept = min(53, top + 1075)
            let dropped = 64 - mantissa.leadingZeroBitCount - kept
            let rounded = dropped > 0 ? round(mantissa, dropping: dropped) : mantissa
            let shift = dropped > 0 ? exponent + dropped : exponent
            return Double(sign: .plus, exponent: shift, significand: Double(rounded))
        }

        private static func round(_ mantissa: UInt64, dropping bits: Int) -> UInt64 {
            guard bits < 65 else { return 0 }
            let quotient = bits == 64 ? 0 : mantissa >> UInt64(bits)
            let half = UInt64(1) << UInt64(bits - 1)
            let rest = bits == 64 ? mantissa : mantissa & ((UInt64(1) << UInt64(bits)) - 1)
            return rest > half || (rest == half && quotient & 1 == 1) ? quotient + 1 : quotient
        }
    }
}
