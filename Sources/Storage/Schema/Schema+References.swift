extension Schema {
    /// A column of a table.
    struct Column: Hashable, Sendable {
        let table: String
        let column: String
    }

    /// The columns that refer to a table, as the steps declare them, in their order.
    static func references(to target: String) -> [Column] {
        var columns: [Column] = []
        for migration in migrations {
            var table = ""
            for line in migration.script.split(separator: "\n") {
                let words = line.split(separator: " ")
                if words.starts(with: ["CREATE", "TABLE"]) || words.starts(with: ["ALTER", "TABLE"]) {
                    table = words.count > 2 ? String(words[2]) : ""
                }
                guard let place = words.firstIndex(of: "REFERENCES"), words.indices.contains(place + 1),
                    words[place + 1] == target[...]
                else { continue }
                let name = words.firstIndex(of: "COLUMN").map { words[$0 + 1] } ?? words[0]
                columns.append(Column(table: table, column: String(name)))
            }
        }
        return columns
    }
}
