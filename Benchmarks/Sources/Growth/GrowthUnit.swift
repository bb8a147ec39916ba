/// Something that is asked of a library, and what it gives.
struct GrowthUnit: Sendable {
    enum Kind: String, CaseIterable, Sendable { case function, route, page, report }

    let kind: Kind
    /// As it is called in lists: `loans.active{patron}`, `GET /titles`.
    let name: String
    /// Does it.
    ///
    /// - Returns: how many records it gave; 1 for what is no list.
    let run: @Sendable (GrownLibrary) async throws -> Int

    static var all: [GrowthUnit] { functions + routes + pages + reports }
}
