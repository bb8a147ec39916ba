/// How the tests of a policy are run.
package struct PolicyTestOptions: Sendable {
    /// Words that a test's name must contain, one of them, whatever their case; none: all tests run.
    package var filters: [String]
    /// The most thread CPU time of one test.
    package var timeLimit: Duration
    /// How many threads share the tests.
    package var workers: Int

    package init(filters: [String] = [], timeLimit: Duration = .seconds(10), workers: Int = 1) {
        self.filters = filters
        self.timeLimit = timeLimit
        self.workers = max(1, workers)
    }

    func selects(_ name: String) -> Bool {
        filters.isEmpty || filters.contains { name.lowercased().contains($0.lowercased()) }
    }
}
