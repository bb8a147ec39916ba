import Circulation
import Desk
import Floors
import Storage

/// A search of the catalogue, first page, held against its one statement alone from C, with the same words, order and columns.
package enum SearchBenchmark {
    /// What readers type, by how much of it there is.
    private struct Kind: Sendable {
        var name: String
        /// In a batch.
        var count: Int
        var query: @Sendable (inout SeededGenerator, SampleLibrary.Size) -> CatalogueQuery
    }

    private static let kinds = [
        Kind(name: "search, a title by its words", count: 200) { chance, size in
            CatalogueQuery(words: "history \(Int.random(in: 0..<size.titles, using: &chance))", limit: 20)
        },
        Kind(name: "search, an author, titles in order", count: 200) { chance, size in
            let number = Int.random(in: 0..<min(size.titles, 9_973), using: &chance)
            return CatalogueQuery(words: "author \(number)", field: .author, limit: 20)
        },
        Kind(name: "search, 20 of one title in fifty", count: 4) { chance, _ in
            let things = ["rivers", "logic", "glass", "migration", "algebra", "gardens", "light", "trade"]
            return CatalogueQuery(words: "notes on \(things.randomElement(using: &chance) ?? "")", limit: 20)
        },
    ]

    package static func measure(_ bench: Bench) throws -> [Figure] {
        let path = try SampleStore(bench).grown(.titles)
        let store = try SQLiteStore.open(.file(path))
        let desk = SampleStore.desk(over: store)
        var figures: [Figure] = []
        for kind in kinds {
            let batches = max(2, min(10, bench.rounds / 100))
            var chance = SeededGenerator(seed: 11)
            let queries = (0..<kind.count * batches).map { _ in kind.query(&chance, bench.size) }
            let script = try record(queries, path)
            let floor = try FloorStore(path: path, isReadOnly: true)
            try floor.prepare(script)
            let race = try Race(batches: batches, units: kind.count) { rounds in
                for query in queries[rounds] { _ = try desk.read { try $0.catalogue.search(query) } }
            } floor: { rounds in
                try floor.run(script, rounds)
            }
            figures.append(
                Figure(name: kind.name, ours: race.ours.median, floor: race.floors.median, bound: .times(1.5)))
        }
        try store.close()
        return figures
    }

    /// Of all that a search runs, the query of the index.
    private static func record(_ queries: [CatalogueQuery], _ path: String) throws -> RecordedScript {
        let recorder = StatementRecorder()
        let store = try SQLiteStore.open(.file(path), mode: .readOnly, recorder: recorder)
        let desk = SampleStore.desk(over: store)
        var script = RecordedScript()
        _ = recorder.take()
        var found = 0
        for query in queries {
            found += try desk.read { try $0.catalogue.search(query) }.count
            let statements = recorder.take().filter { $0.text.contains("MATCH") }
            guard statements.count == 1 else { throw BenchFailure("a search is not one query") }
            script.append(round: statements)
        }
        try store.close()
        guard found > 0 else { throw BenchFailure("nothing was found") }
        return script
    }
}
