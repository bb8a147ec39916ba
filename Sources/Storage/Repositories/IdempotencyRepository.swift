package import Circulation

/// An answer that a program was given under a key of its own.
package struct IdempotentResponse: Hashable, Sendable {
    package var patron: Int64
    package var key: String
    /// Of what was asked for.
    package var fingerprint: String
    package var answer: String
    package var givenAt: Instant

    package init(patron: Int64, key: String, fingerprint: String, answer: String, givenAt: Instant) {
        self.patron = patron
        self.key = key
        self.fingerprint = fingerprint
        self.answer = answer
        self.givenAt = givenAt
    }
}

/// What programs were answered, so that the same request is answered the same without being carried out again.
package struct IdempotencyRepository {
    let transaction: Transaction

    private static let columns = "patron, request_key, fingerprint, answer, given_at"
    private static let insertion = Query(
        "INSERT INTO given_answers (id, \(columns)) VALUES ({id given_answers}, ?, ?, ?, ?, ?)")
    private static let get = Query(
        "SELECT \(columns) FROM given_answers WHERE patron = ? AND request_key = ? AND given_at >= ?")
    private static let everything = Query("SELECT \(columns) FROM given_answers ORDER BY id")
    private static let answerChange = Query("UPDATE given_answers SET answer = ? WHERE patron = ? AND request_key = ?")
    private static let clearing = Query("DELETE FROM given_answers WHERE given_at < ?")

    /// - Parameter since: those given before count no more.
    package func get(_ patron: Int64, _ key: String, since moment: Instant) throws(StoreError) -> IdempotentResponse? {
        try transaction.first(Self.get, [.integer(patron), .text(key), .instant(moment)], Self.answer)
    }

    /// Of all of them, those of a day, the ones of whose answers something holds, the oldest first.
    package func all(where isWanted: (_ answer: String) -> Bool) throws(StoreError) -> [IdempotentResponse] {
        var wanted: [IdempotentResponse] = []
        try transaction.each(Self.everything) { row in
            let answer = Self.answer(&row)
            if isWanted(answer.answer) { wanted.append(answer) }
            return true
        }
        return wanted
    }

    /// Replaces what was answered: for the removal of what must not stay, and nothing else.
    package func replaceAnswer(by answer: IdempotentResponse) throws(StoreError) {
        try transaction.execute(
            Self.answerChange, [.text(answer.answer), .integer(answer.patron), .text(answer.key)])
    }

    package func insert(_ answer: IdempotentResponse) throws(StoreError) {
        _ = try transaction.insert(
            Self.insertion,
            [
                .id(0), .integer(answer.patron), .text(answer.key), .text(answer.fingerprint), .text(answer.answer),
                .instant(answer.givenAt),
            ])
    }

    package func remove(before moment: Instant) throws(StoreError) {
        try transaction.execute(Self.clearing, [.instant(moment)])
    }

    private static func answer(_ row: inout RowReader) -> IdempotentResponse {
        IdempotentResponse(
            patron: row.integer(), key: row.text(), fingerprint: row.text(), answer: row.text(),
            givenAt: row.instant())
    }
}
