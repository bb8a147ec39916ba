extension UnsafeBufferPointer<UInt8> {
    /// The number of leading bytes that are well-formed UTF-8 (Unicode 15, table 3-7): the offset of the first fault.
    var validUTF8PrefixLength: Int {
        var index = 0
        while index < count {
            let length = wellFormedSequenceLength(at: index)
            if length == 0 { return index }
            index += length
        }
        return count
    }

    /// The length of the well-formed sequence at `index`, or 0.
    private func wellFormedSequenceLength(at index: Int) -> Int {
        let first = self[index]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return 0
        }
        guard index + length <= count, second.contains(self[index + 1]) else { return 0 }
        for next in (index + 1)..<(index + length) where self[next] & 0xC0 != 0x80 {
            return 0
        }
        return length
    }
}
