package import TextFormats

/// The MARC records that titles came from, as MARC-in-JSON has them.
package struct MARCRecordRepository {
    let transaction: Transaction

    private static let get = Query("SELECT record FROM marc_records WHERE title = ?")
    private static let removal = Query("DELETE FROM marc_records WHERE title = ?")
    private static let insertion = Query("INSERT INTO marc_records (title, record) VALUES (?, ?)")

    /// That of a title; nil: it came from elsewhere.
    package func get(_ title: Int64) throws(StoreError) -> JSONObject? {
        guard let text = try text(title) else { return nil }
        guard case .object(let object)? = try? JSONParser.parse(text) else {
            throw .corrupt("the MARC record of title \(title) cannot be read")
        }
        return object
    }

    /// Keeps the record of a title, in the place of one that is there.
    ///
    /// - Returns: whether it is another one.
    package func keep(_ record: JSONObject, of title: Int64) throws(StoreError) -> Bool {
        let text = JSON.object(record).text()
        guard try self.text(title) != text else { return false }
        try transaction.execute(Self.removal, [.integer(title)])
        try transaction.execute(Self.insertion, [.integer(title), .text(text)])
        return true
    }

    private func text(_ title: Int64) throws(StoreError) -> String? {
        try transaction.first(Self.get, [.integer(title)]) { row throws(StoreError) in row.text() }
    }
}
