import Circulation
import Desk
import Scripting
import Storage
import TextFormats

/// A request that may be sent again: its key, its owner and its fingerprint.
struct Repetition {
    private let key: String
    private let patron: Int64
    private let fingerprint: String

    /// - Parameters:
    ///   - name: the route's.
    ///   - holder: who sent it.
    /// - Returns: nil for a request without a key.
    /// - Throws: ``Problem``.
    init?(of request: WebRequest, _ name: String, by holder: () throws -> Patron) throws {
        guard let key = request.field("idempotency-key") else { return nil }
        let patron = try holder().id
        guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (33...126).contains($0) }) else {
            throw Problem.input("An 'Idempotency-Key' must have 1 to 255 characters.")
        }
        let text = [name, request.path, request.query ?? ""].joined(separator: "\n") + "\n"
        self.key = key
        self.patron = patron
        fingerprint = SHA256.hexadecimal(of: Array(text.utf8) + request.body)
    }

    /// What was answered before; nil: nothing.
    ///
    /// - Throws: ``Problem`` where the key stood with another request.
    func given(in session: DeskSession) throws -> WebResponse? {
        guard let given = try session.idempotency.find(key, of: patron) else { return nil }
        guard given.fingerprint == fingerprint else {
            throw Problem(422, "key_reused", "This 'Idempotency-Key' was already used with another request.")
        }
        return try Self.repeated(given.answer)
    }

    /// Keeps what is answered.
    func keep(_ answer: WebResponse, in session: DeskSession) throws {
        // A patron who deletes the account deletes the kept answers with it.
        guard try session.patrons.get(.id(patron)) != nil else { return }
        try session.idempotency.keep(Self.kept(answer), under: key, of: patron, fingerprint: fingerprint)
    }

    private static func kept(_ answer: WebResponse) -> String {
        var fields = JSONObject()
        for (name, value) in answer.fields.sorted(by: { $0.key < $1.key }) { fields[name] = .string(value) }
        return JSON.object([
            "status": .integer(Int64(answer.status)), "fields": .object(fields), "body": .string(answer.text),
        ]).text()
    }

    private static func repeated(_ text: String) throws -> WebResponse {
        let json = try JSONParser.parse(text)
        var fields = ["Idempotency-Replayed": "true"]
        for entry in json["fields"]?.objectValue?.entries ?? [] { fields[entry.key] = entry.value.stringValue }
        return WebResponse(
            Int(json["status"]?.integerValue ?? 500), body: Array((json["body"]?.stringValue ?? "").utf8),
            fields: fields)
    }
}
