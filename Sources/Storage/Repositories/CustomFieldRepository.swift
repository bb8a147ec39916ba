package import Circulation

/// Finds records by what stands in their `extra` under the name of a field of the library's own.
package struct CustomFieldRepository {
    let transaction: Transaction

    /// The ids of the records that refer to a patron or a title by a field, ascending.
    package func holders(of field: CustomField, id: Int64) throws(StoreError) -> [Int64] {
        try ids(field, "\(isKey(field)) AND \(key(field)) = ?", [.text(String(id))])
    }

    private func key(_ field: CustomField) -> String { "CAST(\(value(field)) AS VARCHAR)" }

    /// Keys alone are in the index: what was written before the field was declared may be of any length.
    private func isKey(_ field: CustomField) -> String { "LENGTH(\(value(field))) < 20" }

    /// How many records name a branch in a field.
    package func count(of field: CustomField, code: String) throws(StoreError) -> Int64 {
        let query = Query(once: "SELECT COUNT(*) FROM \(field.owner.table) WHERE \(value(field)) = ?")
        return try transaction.number(query, [.text(code)])
    }

    /// The ids of the records that say anything under the name of a field, ascending.
    package func speaking(of field: CustomField) throws(StoreError) -> [Int64] {
        try ids(field, "\(value(field)) IS NOT NULL", [])
    }

    private func value(_ field: CustomField) -> String { "{json extra \(field.name)}" }

    private func ids(
        _ field: CustomField, _ condition: String, _ values: [StoredValue]
    ) throws(StoreError) -> [Int64] {
        let query = Query(
            once: "SELECT id FROM \(field.owner.table) WHERE \(Self.isSpeaking) AND \(condition) ORDER BY id")
        return try transaction.all(query, values) { row in row.integer() }
    }

    /// Most records have none, and need not be taken apart.
    private static let isSpeaking = "extra <> '{}'"
}

// Indexes, by which the holders of a key are found.
extension CustomFieldRepository {
    private static let prefix = "own_"
    private static let names = Query(
        "SELECT name FROM ({indexNames}) AS indexes WHERE SUBSTR(name, 1, \(prefix.count)) = '\(prefix)'")

    /// Has an index for each of the fields that name patrons and titles, and for no other.
    func index(_ fields: CustomFields) throws(StoreError) {
        var kept = Set(try transaction.all(Self.names) { row in row.text() })
        for field in fields.all where field.kind == .patron || field.kind == .title {
            let name = "\(Self.prefix)\(field.owner.table)_\(field.name)"
            guard kept.remove(name) == nil else { continue }
            let condition = "\(Self.isSpeaking) AND \(isKey(field))"
            try transaction.connection().execute(
                script: "CREATE INDEX \(name) ON \(field.owner.table) ((\(key(field)))) WHERE \(condition);")
        }
        for name in kept.sorted() { try transaction.connection().execute(script: "DROP INDEX \(name);") }
    }
}
