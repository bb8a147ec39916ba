/// A part of a list: so many rows, after some that are passed over.
package struct ListPart: Hashable, Sendable {
    package let limit: Int64
    package let offset: Int64

    /// The whole list.
    package static let all = ListPart()

    /// - Parameters:
    ///   - limit: how many rows at most; fewer than none are none.
    ///   - offset: how many are passed over at the beginning.
    package init(limit: Int64 = .max, offset: Int64 = 0) {
        self.limit = max(limit, 0)
        self.offset = max(offset, 0)
    }

    /// - Parameters: see ``init(limit:offset:)``
    package init(limit: Int, offset: Int = 0) {
        self.init(limit: Int64(limit), offset: Int64(offset))
    }

    /// How many rows come up to the end of the part.
    package var reach: Int64 { limit > .max - offset ? .max : limit + offset }

    /// The part of rows that are all there.
    package func of<Row>(_ rows: [Row]) -> [Row] {
        let first = Int(clamping: offset)
        return Array(rows.dropFirst(first).prefix(Int(clamping: limit)))
    }
}
