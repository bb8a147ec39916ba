import Circulation

/// Which copies a title must have to be found.
struct WantedCopies {
    /// The condition on a row of `copies`.
    let condition: String
    let values: [StoredValue]
    /// Whether they are those of one branch.
    let isOfBranch: Bool

    /// nil if a query finds titles whatever their copies.
    init?(_ query: CatalogueQuery) {
        guard query.available || query.branch != nil else { return nil }
        let status = query.available ? "copies.status = 'available'" : "copies.status NOT IN ('lost', 'withdrawn')"
        condition = query.branch == nil ? status : "copies.branch = ? AND " + status
        isOfBranch = query.branch != nil
        values = query.branch.map { [.text($0)] } ?? []
    }

    /// The condition that a title has such a copy.
    ///
    /// - Parameter title: the title's id in SQL.
    func exist(of title: String) -> String {
        "EXISTS (SELECT 1 FROM copies WHERE copies.title = \(title) AND \(condition))"
    }

    /// The titles that have such a copy, each as often as it has one, in SQL.
    var titles: String { "SELECT copies.title AS title FROM copies WHERE \(condition)" }

    /// The same, each once.
    var distinctTitles: String { "SELECT DISTINCT copies.title AS title FROM copies WHERE \(condition)" }
}
