package import Circulation

/// Finds records by what stands in their `extra` under the name of a field of the library's own.
package struct CustomFieldRepository {
    let transaction: Transaction

    /// The ids of the records that refer to something by a field, ascending.
    package func holders(of field: CustomField, id: Int64) throws(StoreError) -> [Int64] {
        try ids(field, "CAST(\(value(field)) AS VARCHAR) = ?", [.text(String(id))])
    }

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
        // Most records have none, and need not be taken apart.
        let query = Query(
            once: "SELECT id FROM \(field.owner.table) WHERE extra <> '{}' AND \(condition) ORDER BY id")
        return try transaction.all(query, values) { row in row.integer() }
    }
}
