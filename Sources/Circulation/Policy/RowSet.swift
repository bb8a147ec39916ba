/// A set of row positions. Sets of up to 64 rows need no memory of their own.
struct RowSet: Hashable, Sendable {
    private var first: UInt64 = 0
    /// Words of the positions from 64 on.
    private var rest: [UInt64] = []

    init() {}

    /// All positions below `count`.
    init(all count: Int) { self.init(0..<count) }

    init(_ positions: some Sequence<Int>) {
        for position in positions { insert(position) }
    }

    mutating func insert(_ position: Int) {
        if position < 64 {
            first |= 1 << UInt64(position)
            return
        }
        let word = position / 64 - 1
        while rest.count <= word { rest.append(0) }
        rest[word] |= 1 << UInt64(position % 64)
    }

    mutating func remove(_ position: Int) {
        if position < 64 {
            first &= ~(1 << UInt64(position))
        } else if position / 64 - 1 < rest.count {
            rest[position / 64 - 1] &= ~(1 << UInt64(position % 64))
        }
    }

    func contains(_ position: Int) -> Bool {
        if position < 64 { return first & (1 << UInt64(position)) != 0 }
        let word = position / 64 - 1
        return word < rest.count && rest[word] & (1 << UInt64(position % 64)) != 0
    }

    /// All positions, the least first.
    var positions: [Int] {
        var positions: [Int] = []
        var start = 0
        while let position = first(from: start) {
            positions.append(position)
            start = position + 1
        }
        return positions
    }

    mutating func formIntersection(_ other: RowSet) {
        first &= other.first
        if rest.isEmpty { return }
        if rest.count > other.rest.count { rest.removeLast(rest.count - other.rest.count) }
        for word in rest.indices { rest[word] &= other.rest[word] }
    }

    mutating func formUnion(_ other: RowSet) {
        first |= other.first
        for (word, bits) in other.rest.enumerated() {
            if word < rest.count { rest[word] |= bits } else { rest.append(bits) }
        }
    }

    /// The least position from `start` on that is in both sets.
    func firstCommon(with other: RowSet, from start: Int = 0) -> Int? {
        if start < 64 {
            let common = first & other.first & (UInt64.max << UInt64(start))
            if common != 0 { return common.trailingZeroBitCount }
        }
        let common = min(rest.count, other.rest.count)
        var word = max(0, start / 64 - 1)
        while word < common {
            let mask = start > (word + 1) * 64 ? UInt64.max << UInt64(start % 64) : .max
            let bits = rest[word] & other.rest[word] & mask
            if bits != 0 { return (word + 1) * 64 + bits.trailingZeroBitCount }
            word += 1
        }
        return nil
    }

    /// The least position from `start` on.
    func first(from start: Int) -> Int? { firstCommon(with: self, from: start) }
}
