import TextFormats

/// What stands in a column, each value once.
package struct DistinctValues: Sendable {
    /// The first ones, in their order, with how often they stand there.
    package private(set) var values: [(text: String, count: Int)] = []
    /// How many further ones there are, as far as they were counted.
    package private(set) var more = 0
    private var places: [String: Int] = [:]

    /// So many are told apart at all.
    private static let mostKnown = 2_000

    fileprivate mutating func add(_ text: String, most: Int) {
        let key = MappedSource.folded(text)
        if let place = places[key] {
            if place < values.count { values[place].count += 1 }
            return
        }
        guard places.count < Self.mostKnown else { return }
        places[key] = places.count
        if values.count < most { values.append((text, 1)) } else { more += 1 }
    }
}

extension FileExplainer {
    /// What stands in columns of a table, in all of its rows, by their names.
    ///
    /// - Parameter most: how many values of a column are listed.
    /// - Throws: ``ImportProblem`` if the file cannot be read.
    package func values(of columns: [String], in path: String, most: Int) throws -> [String: DistinctValues] {
        guard !columns.isEmpty else { return [:] }
        let file = try inputFile(path)
        guard file.kind.isTable else { return [:] }
        var rows = try rows(of: file)
        var found: [String: DistinctValues] = [:]
        while true {
            do throws(TextError) {
                guard let row = try rows.next() else { return found }
                for column in columns {
                    guard let cell = rows.header.field(column, of: row.record),
                        let text = FieldText.nonBlank(FieldText.unwrapped(cell))
                    else { continue }
                    found[column, default: DistinctValues()].add(text, most: most)
                }
            } catch {
                if error.code == .unreadable { return found }
            }
        }
    }
}
