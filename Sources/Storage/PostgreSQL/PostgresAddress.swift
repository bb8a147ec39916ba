import CPostgres

/// A database's URL as libpq reads it: several hosts, `target_session_attrs`, TLS and time-outs are libpq's own.
///
/// Nothing that is made of it for people to read contains a password.
struct PostgresAddress: Sendable {
    let url: String
    /// The URL with its secrets covered, to be shown.
    let shown: String
    private let hosts: PostgresHosts
    /// Whether not any server that answers will do: `target_session_attrs`.
    let asksForKind: Bool
    private let secrets: [String]

    /// - Throws: ``StoreError/Code/badLocation`` for what libpq cannot read.
    init(_ url: String) throws(StoreError) {
        self.url = url
        shown = StoreLocation.postgres(url).description
        guard !url.utf8.contains(0) else { throw .badLocation("the URL of a store cannot contain a NUL byte") }
        var complaint: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &complaint) else {
            let text = complaint.map { String(cString: $0) } ?? "no memory"
            PQfreemem(complaint)
            // What follows the colon is a piece of the URL, and may be a piece of a password.
            throw .badLocation("\(shown) cannot be read: \(text.prefix { $0 != ":" && $0 != "\n" })")
        }
        defer { PQconninfoFree(options) }
        let values = Self.values(options)
        // libpq would look for the rest of the password as a host, and tell of it.
        guard values["host"]?.contains("@") != true, values["port"]?.allSatisfy({ $0.isNumber || $0 == "," }) != false
        else {
            throw .badLocation("\(shown) cannot be read: in a password `@` is written `%40`, `/` is written `%2F`")
        }
        hosts = PostgresHosts(values)
        asksForKind = values["target_session_attrs"].map { $0 != "any" } ?? false
        secrets = ["password", "sslpassword"].compactMap { values[$0] }.filter { !$0.isEmpty }
    }

    private static func values(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            values[String(cString: keyword)] = option.pointee.val.map { String(cString: $0) }
            option += 1
        }
        return values
    }

    /// Text of libpq on one line, with every secret covered.
    func covered(_ text: String) -> String {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == "\t" || $0 == " " } }
        return secrets.reduce(lines.joined(separator: "; ")) { $0.replacing($1, with: "***") }
    }

    /// What holds where the URL says nothing: it is read after these. A dead peer is noticed within a minute.
    private static let defaults = [
        ("fallback_application_name", "moonshelf"), ("connect_timeout", "10"), ("tcp_user_timeout", "30000"),
        ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
    ]

    /// Calls `body` with the parameters as libpq's functions take them.
    ///
    /// - Parameters:
    ///   - anyKind: whether any server that answers will do, whatever the URL asks for.
    ///   - attempt: how often it was tried before: each time another host comes first.
    func withParameters<T>(
        anyKind: Bool = false, attempt: Int = 0,
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<UnsafePointer<CChar>?>?) -> T
    ) -> T {
        // Words are read in Unicode, whatever the environment says.
        var all = Self.defaults + [("dbname", url), ("client_encoding", "UTF8")]
        all += hosts.parameters(attempt: attempt)
        if anyKind { all.append(("target_session_attrs", "any")) }
        return CStrings(all.map(\.0)).withPointers { keywords in
            CStrings(all.map(\.1)).withPointers { values in body(keywords, values) }
        }
    }
}
