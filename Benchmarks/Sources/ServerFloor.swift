import CPostgres
import Storage

/// A PostgreSQL database that does its work in functions of its own: one call a unit of work, nothing around it.
final class ServerFloor {
    private struct Call {
        let function: String
        /// As libpq takes them.
        let values: [[CChar]?]
    }

    /// As many as a function of PostgreSQL takes.
    private static let mostParameters = 100

    private let connection: OpaquePointer
    private var calls: [Call] = []
    private var functions: [[String]: String] = [:]
    private var types: [String: [String]] = [:]

    init(_ url: String) throws {
        guard let connection = PQconnectdb(url) else { throw BenchFailure("no memory for a connection") }
        self.connection = connection
        guard PQstatus(connection) == CONNECTION_OK else { throw failure("connecting") }
    }

    deinit {
        PQfinish(connection)
    }

    /// Makes a function for each sequence of statements that occurs.
    func prepare(_ rounds: [[RecordedStatement]]) throws {
        for round in rounds {
            let texts = round.map(\.text)
            let function = try functions[texts] ?? make(texts)
            functions[texts] = function
            calls.append(Call(function: function, values: round.flatMap(\.values).map(Self.characters)))
        }
    }

    func run(_ rounds: Range<Int>) throws {
        for call in calls[rounds] {
            var pointers: [UnsafePointer<CChar>?] = []
            let bytes = call.values.flatMap { $0 ?? [] }
            let result = bytes.withUnsafeBufferPointer { block in
                var offset = 0
                for value in call.values {
                    pointers.append(value == nil ? nil : block.baseAddress.map { $0 + offset })
                    offset += value?.count ?? 0
                }
                return PQexecPrepared(connection, call.function, Int32(pointers.count), pointers, nil, nil, 0)
            }
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_TUPLES_OK else { throw failure(call.function) }
        }
    }

    private func make(_ texts: [String]) throws -> String {
        let name = "floor_\(functions.count)"
        var parameters: [String] = []
        var lines: [String] = []
        for text in texts {
            let known = try types[text] ?? parameterTypes(of: text)
            types[text] = known
            let shifted = Self.shifted(text, by: parameters.count)
            parameters += known
            let givesRows = text.hasPrefix("SELECT") || text.contains(" RETURNING ")
            lines.append(givesRows ? "FOR answer IN \(shifted) LOOP NULL; END LOOP;" : "\(shifted);")
        }
        guard parameters.count <= Self.mostParameters else {
            throw BenchFailure("a checkout has \(parameters.count) values; a function takes \(Self.mostParameters)")
        }
        let body = "DECLARE answer record; BEGIN " + lines.joined(separator: " ") + " END"
        try execute(
            "CREATE FUNCTION \(name)(\(parameters.joined(separator: ", "))) RETURNS void LANGUAGE plpgsql AS $floor$ "
                + body + " $floor$")
        let places = parameters.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        try execute("PREPARE \(name) AS SELECT \(name)(\(places))")
        return name
    }

    /// The types that the server finds for a statement's parameters.
    private func parameterTypes(of text: String) throws -> [String] {
        try execute("PREPARE asked AS \(text)")
        defer { try? execute("DEALLOCATE asked") }
        let result = PQexec(
            connection, "SELECT unnest(parameter_types)::text FROM pg_prepared_statements WHERE name = 'asked'")
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK else { throw failure(text) }
        return (0..<PQntuples(result)).compactMap { row in PQgetvalue(result, row, 0).map { String(cString: $0) } }
    }

    /// The text with its parameters' numbers raised, so that those of several statements follow one another.
    private static func shifted(_ text: String, by count: Int) -> String {
        text.replacing(/\$([0-9]+)/) { match in "$\((Int(match.1) ?? 0) + count)" }
    }

    private static func characters(_ value: StoredValue) -> [CChar]? {
        guard case .text(let text) = value else { return nil }
        return Array(text.utf8CString)
    }

    private func execute(_ text: String) throws {
        let result = PQexec(connection, text)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure(text) }
    }

    private func failure(_ what: String) -> BenchFailure {
        BenchFailure("the floor: \(what): \(PQerrorMessage(connection).map { String(cString: $0) } ?? "")")
    }
}
