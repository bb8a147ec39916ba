/// Figures as people write them.
enum Decimals {
    /// The number with so many decimals, rounded; nil where it is too large for that to mean anything.
    static func text(_ number: Double, decimals: Int) -> String? {
        var factor: Int64 = 1
        for _ in 0..<decimals { factor *= 10 }
        guard let scaled = Int64(exactly: (number * Double(factor)).rounded()), scaled.magnitude < 1 << 53 else {
            return nil
        }
        let digits = String(scaled.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let sign = scaled < 0 ? "-" : ""
        guard decimals > 0 else { return sign + padded }
        return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }

    /// The figure that a text begins with, in groups of three digits from five digits on.
    static func grouped(_ text: String) -> String {
        let sign = text.hasPrefix("-") ? "-" : ""
        let digits = text.dropFirst(sign.count).prefix { ("0"..."9").contains($0) }
        guard digits.count > 4 else { return text }
        var result = sign
        for (place, digit) in digits.enumerated() {
            if place > 0 && (digits.count - place) % 3 == 0 { result += "\u{202F}" }
            result.append(digit)
        }
        return result + text.dropFirst(sign.count + digits.count)
    }
}
