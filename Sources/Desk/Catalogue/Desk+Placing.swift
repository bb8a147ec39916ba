import Storage

extension Desk {
    /// With so many loans that came since, it is quicker to look at each title once.
    private static let many: Int64 = 20_000

    /// Puts titles in the place that their loans give them in searches, in pages with a transaction each. It can be stopped at any point
    /// and run again, and writes nothing where nothing was lent since.
    package func placeTitles() throws {
        let (reached, last) = try read { try $0.transaction.search.placed() }
        guard last > reached else { return }
        var pace = ChorePace()
        if last - reached > Self.many {
            var end: Int64? = .min
            while let id = end {
                end = try pace.page(of: self) { try $0.transaction.search.placeAll(after: id, limit: $1) }
            }
            try write { try $0.transaction.search.reach(loan: last) }
        }
        while try pace.page(of: self, { try $0.transaction.search.placeLent(limit: $1) }) {}
    }
}
