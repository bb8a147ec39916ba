/// A set of days of one year, numbered from 0 for 1 January.
struct DayBits: Sendable {
    var words: InlineArray<6, UInt64> = [0, 0, 0, 0, 0, 0]

    subscript(day: Int) -> Bool {
        words[day >> 6] >> UInt64(day & 63) & 1 == 1
    }

    mutating func insert(_ day: Int) {
        words[day >> 6] |= 1 << UInt64(day & 63)
    }

    mutating func remove(_ other: DayBits) {
        for word in 0..<6 { words[word] &= ~other.words[word] }
    }

    mutating func remove(_ days: ClosedRange<Int>) {
        for word in (days.lowerBound >> 6)...(days.upperBound >> 6) {
            words[word] &=
                ~(DayBits.mask(from: days.lowerBound, in: word) & DayBits.mask(through: days.upperBound, in: word))
        }
    }

    /// How many days of the set lie within `days`.
    func count(in days: ClosedRange<Int>) -> Int {
        var count = 0
        for word in (days.lowerBound >> 6)...(days.upperBound >> 6) {
            let mask = DayBits.mask(from: days.lowerBound, in: word) & DayBits.mask(through: days.upperBound, in: word)
            count += (words[word] & mask).nonzeroBitCount
        }
        return count
    }

    /// The first day of the set from `day` on, or nil.
    func first(from day: Int) -> Int? {
        for word in (day >> 6)..<6 {
            let rest = words[word] & DayBits.mask(from: day, in: word)
            if rest != 0 { return word << 6 + rest.trailingZeroBitCount }
        }
        return nil
    }

    /// The last day of the set up to `day`, or nil.
    func last(through day: Int) -> Int? {
        for word in stride(from: day >> 6, through: 0, by: -1) {
            let rest = words[word] & DayBits.mask(through: day, in: word)
            if rest != 0 { return word << 6 + 63 - rest.leadingZeroBitCount }
        }
        return nil
    }

    private static func mask(from day: Int, in word: Int) -> UInt64 {
        let bit = day - word << 6
        return bit <= 0 ? .max : (bit > 63 ? 0 : .max << UInt64(bit))
    }

    private static func mask(through day: Int, in word: Int) -> UInt64 {
        let bit = day - word << 6
        return bit < 0 ? 0 : (bit >= 63 ? .max : (1 << UInt64(bit + 1)) - 1)
    }
}
