import CPostgres
import Dispatch

/// A connection of its own, of a role that may read the views and nothing else, on which one question is answered.
///
/// What keeps a question from doing harm is the role: the server itself refuses the rest. So a role that may do more is
/// not used at all.
struct PostgresQueryRunner {
    private let link: PostgresLink
    private let limits: SQLLimits

    /// - Throws: ``SQLRefusal`` with `not_configured` for a role that may do more than read the views; ``StoreError``.
    init(_ address: PostgresAddress, _ limits: SQLLimits) throws {
        do throws(PostgresLink.Refusal) {
            link = try PostgresLink(address, attempt: 0)
        } catch {
            throw error.error
        }
        self.limits = limits
        let milliseconds = Int64(min(max(limits.seconds, 0.001), 86_400) * 1_000)
        try link.run(
            """
            SET client_min_messages TO error; SET statement_timeout TO \(milliseconds); SET lock_timeout TO 5000;
            SET default_transaction_read_only TO on; SET standard_conforming_strings TO on
            """)
        try checkRole()
    }

    /// The role must not be a person's, and must own nothing.
    private func checkRole() throws {
        let answer = try link.run(Self.powers)
        for row in 0..<answer.rowCount where !answer.isNull(row, 0) {
            throw SQLRefusal(
                .notConfigured,
                "the role that questions are asked by may do more than read the views: it \(answer.text(row, 0))")
        }
    }

    func answer(_ question: SQLQuery) throws -> SQLResult {
        try PostgresAuthorizer.check(question.text)
        let (text, wanted) = PostgresParameters.numbered(question.text)
        guard question.values.count == wanted else {
            throw SQLRefusal(
                .statement, "the statement has \(wanted) parameters, and \(question.values.count) were given")
        }
        let values = PostgresValues.texts(question.values)
        return try withinTime {
            try link.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try checkFields(PostgresAuthorizer.fields(of: question.text))
            // One statement a message, which is not the end of another one.
            _ = try link.run("PREPARE question AS " + text, PostgresValues.texts([]))
            try checkRelations(question.values)
            let columns = try link.columns(ofPrepared: "question")
            let meter = AnswerMeter(limits, columns: columns.map(\.name))
            try meter.answer.checkColumns()
            let bounded = PostgresBoundedQuery(text, columns: columns, bytes: limits.bytes)
            // Only what can stand within another query, and so does nothing but read.
            _ = try link.run("DECLARE answer NO SCROLL CURSOR FOR " + bounded.text, values)
            return try fetched(bounded, meter)
        }
    }

    private func fetched(_ bounded: PostgresBoundedQuery, _ meter: AnswerMeter) throws -> SQLResult {
        var meter = meter
        let columns = bounded.columns
        while true {
            let part = try link.run("FETCH 100 FROM answer")
            for row in 0..<part.rowCount {
                try PostgresBoundedQuery.check(part, row: row, columns: columns.count, limits)
                try meter.take(columns.indices.map { part.value(row, $0, type: columns[$0].type) })
            }
            if part.rowCount < 100 { return meter.answer }
        }
    }

    /// Runs the body, breaks its statement off when the time is over, and classifies errors.
    private func withinTime<T>(_ body: () throws -> T) throws -> T {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(limits.seconds)
        let canceller = PostgresCanceller(link)
        let item = DispatchWorkItem { canceller.cancel() }
        DispatchQueue.global().asyncAfter(deadline: .now() + limits.seconds, execute: item)
        defer { item.cancel() }
        do {
            return try body()
        } catch let error as StoreError {
            if clock.now >= end { throw SQLRefusal.tooLong }
            switch error.code {
            case .unreachable, .cannotWrite, .corrupt: throw error
            case .locked: throw SQLRefusal.tooLong
            case .readOnly: throw SQLRefusal(.forbidden, error.message)
            default: throw SQLRefusal(.statement, error.message)
            }
        }
    }

    /// None of the names may be a function that could be called with one argument.
    private func checkFields(_ names: Set<String>) throws {
        guard !names.isEmpty else { return }
        let list = names.sorted().map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
        let found = try link.run(
            """
            SELECT proname FROM pg_catalog.pg_proc
            WHERE pronargs >= 1 AND pronargs - pronargdefaults <= 1 AND proname IN (\(list)) LIMIT 1
            """)
        if found.rowCount > 0 { throw PostgresAuthorizer.refusal(found.text(0, 0)) }
    }

    /// The system's own catalogue can be read by every role: a plan tells who would. The server looks through the plan
    /// itself, since the values of the question stand in it, already worked out and as large as they get.
    private func checkRelations(_ values: [StoredValue]) throws {
        let texts = values.map { value in PostgresValues.texts([value]).texts[0] }
        let list = texts.map { $0.map { "'\($0.replacing("'", with: "''"))'" } ?? "NULL" }.joined(separator: ", ")
        let explanation =
            "EXPLAIN (VERBOSE, COSTS OFF, FORMAT JSON) EXECUTE question" + (values.isEmpty ? "" : "(\(list))")
        _ = try link.run(
            "SELECT pg_catalog.set_config('moonshelf.question', $1, true)",
            PostgresValues.texts([.text(explanation)]))
        try link.run(Self.reading)
        let found = try link.run("SELECT pg_catalog.current_setting('moonshelf.found')").text(0, 0)
        if !found.isEmpty { throw SQLRefusal.otherTable(found) }
    }

    /// Puts the first relation or function of the plan that is not to be asked into `moonshelf.found`.
    private static var reading: String {
        let allowed = allowedSets.sorted().map { "'\($0)'" }.joined(separator: ", ")
        return """
            DO $$
            DECLARE plan jsonb; found text;
            BEGIN
                EXECUTE pg_catalog.current_setting('moonshelf.question') INTO plan;
                SELECT name INTO found FROM (
                    SELECT pg_catalog.jsonb_path_query(plan, 'lax $.** ? (@."Schema" == "pg_catalog"
                        || @."Schema" == "information_schema")."Relation Name"') #>> '{}' AS name
                    UNION ALL
                    SELECT pg_catalog.jsonb_path_query(plan, 'lax $.**."Function Name"') #>> '{}') AS names
                WHERE name NOT IN (\(allowed)) LIMIT 1;
                PERFORM pg_catalog.set_config('moonshelf.found', COALESCE(found, ''), true);
            END $$
            """
    }

    /// Functions that give rows; all others that do tell of the server.
    private static let allowedSets: Set<String> = [
        "generate_series", "unnest", "json_array_elements", "json_array_elements_text", "jsonb_array_elements",
        "jsonb_array_elements_text", "string_to_table", "regexp_split_to_table",
    ]

    /// One row for each power that the role must not have, in words.
    private static var powers: String {
        let views = ReportView.all.map { "'\($0.name)'" }.joined(separator: ", ")
        return """
            WITH me AS (SELECT * FROM pg_catalog.pg_roles WHERE rolname = current_user),
            relations AS (
                SELECT pg_class.oid, relname, relname IN (\(views))
                    AND relnamespace = pg_catalog.current_schema()::regnamespace AS is_view
                FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
                WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname NOT IN ('pg_catalog', 'information_schema')
                    AND nspname NOT LIKE 'pg\\_toast%' AND nspname NOT LIKE 'pg\\_temp%')
            SELECT 'is a superuser' FROM me WHERE rolsuper
            UNION ALL SELECT 'may make roles or databases, replicate or bypass security' FROM me
                WHERE rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
            UNION ALL SELECT 'is a member of ' || pg_catalog.pg_get_userbyid(roleid) FROM pg_catalog.pg_auth_members, me
                WHERE member = me.oid
            UNION ALL SELECT 'owns something' FROM pg_catalog.pg_shdepend, me
                WHERE refclassid = 'pg_authid'::regclass AND refobjid = me.oid AND deptype = 'o'
            UNION ALL SELECT 'may create in the schema ' || nspname FROM pg_catalog.pg_namespace
                WHERE nspname NOT LIKE 'pg\\_temp%' AND pg_catalog.has_schema_privilege(oid, 'CREATE')
            UNION ALL SELECT 'may read ' || relname FROM relations
                WHERE NOT is_view AND pg_catalog.has_any_column_privilege(oid, 'SELECT')
            UNION ALL SELECT 'may write ' || relname FROM relations
                WHERE pg_catalog.has_any_column_privilege(oid, 'INSERT, UPDATE, REFERENCES')
                    OR pg_catalog.has_table_privilege(oid, 'DELETE, TRUNCATE, TRIGGER')
            UNION ALL SELECT 'may call ' || proname FROM pg_catalog.pg_proc
                JOIN pg_catalog.pg_namespace ON pg_namespace.oid = pronamespace
                WHERE (nspname NOT IN ('pg_catalog', 'information_schema') AND proname NOT IN ('next_key', 'search_document')
                        OR nspname = 'pg_catalog' AND proname IN ('pg_read_file', 'pg_read_binary_file', 'pg_ls_dir',
                            'pg_stat_file', 'lo_import', 'lo_export'))
                    AND pg_catalog.has_function_privilege(pg_proc.oid, 'EXECUTE')
                    AND pg_catalog.has_schema_privilege(pronamespace, 'USAGE')
            LIMIT 1
            """
    }
}

/// Breaks off what a connection is waiting for, from another thread.
///
/// `@unchecked Sendable`: libpq says of `PQcancel` that it may be called from any thread, and the handle is freed with
/// its last owner.
private final class PostgresCanceller: @unchecked Sendable {
    private let handle: OpaquePointer?

    init(_ link: PostgresLink) {
        handle = link.canceller()
    }

    deinit {
        PQfreeCancel(handle)
    }

    func cancel() {
        var why = [CChar](repeating: 0, count: 256)
        _ = PQcancel(handle, &why, Int32(why.count))
    }
}

extension PostgresResult {
    /// A value by its type: whole numbers, other numbers, flags; all else as the text that the server gives.
    fileprivate func value(_ row: Int, _ column: Int, type: UInt32) -> StoredValue {
        if isNull(row, column) { return .null }
        let text = text(row, column)
        switch type {
        case 20, 21, 23, 26: return Int64(text).map { .integer($0) } ?? .text(text)
        case 700, 701, 1700: return Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) } ?? .text(text)
        case 16: return .integer(text == "t" ? 1 : 0)
        default: return .text(text)
        }
    }
}
