import GRDBSQLite

/// What SQLite asks before it compiles a statement, and while it runs one.
///
/// A view's columns may be read, and of the tables below it those columns that it is made of, within it alone: a caller
/// that names a query of its own like a view gets at nothing more by it.
final class SQLiteAuthorizer {
    /// The columns that views are made of, by table, in small letters.
    private var readable: [String: Set<String>] = [:]
    /// The tables and indexes that there are, in small letters.
    private let tables: Set<String>
    private var isLearning = true
    private(set) var refusal: SQLRefusal?
    private let deadline: ContinuousClock.Instant
    private let memory: Int64
    /// Whether the caller still waits for the answer.
    private let goesOn: () -> Bool

    init(_ limits: SQLLimits, tables: Set<String>, goesOn: @escaping () -> Bool) {
        self.goesOn = goesOn
        self.tables = tables
        deadline = .now + .seconds(limits.seconds)
        memory = sqlite3_memory_used() + Int64(limits.memory)
    }

    /// From now on what is compiled is judged.
    func stopLearning() {
        isLearning = false
    }

    /// - Returns: whether SQLite may go on.
    func allows(_ action: Int32, _ first: String?, _ second: String?, within view: String?) -> Bool {
        if isLearning {
            if action == SQLITE_READ, let first, let second {
                readable[first.lowercased(), default: []].insert(second.lowercased())
            }
            return true
        }
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: return true
        case SQLITE_FUNCTION:
            guard let name = second, Self.functions.contains(name.lowercased()) else {
                return refuse(SQLRefusal(.forbidden, "the function '\(second ?? "")' cannot be used here"))
            }
            return true
        case SQLITE_READ: return mayRead(first ?? "", second ?? "", within: view)
        default: return refuse(.notReading)
        }
    }

    private func mayRead(_ table: String, _ column: String, within view: String?) -> Bool {
        if ReportView.names.contains(table.lowercased()) { return true }
        // Without a column only rows are counted, as the view would count them; a query of the statement's own may be.
        if column.isEmpty, readable[table.lowercased()] != nil || isOwnQuery(table.lowercased()) { return true }
        if let columns = readable[table.lowercased()] {
            let isWithin = view.map { ReportView.names.contains($0.lowercased()) } ?? false
            if isWithin && columns.contains(column.lowercased()) { return true }
        }
        return refuse(.otherTable(table))
    }

    /// Whether it can be nothing but a name that the statement gave to one of its queries.
    private func isOwnQuery(_ name: String) -> Bool {
        !tables.contains(name) && !Self.builtIn.contains(name) && !name.hasPrefix("pragma_")
            && !name.hasPrefix("sqlite_")
    }

    private static let builtIn: Set<String> = [
        "bytecode", "dbstat", "fts5vocab", "generate_series", "json_each", "json_tree", "tables_used",
    ]

    private func refuse(_ refusal: SQLRefusal) -> Bool {
        self.refusal = self.refusal ?? refusal
        return false
    }

    /// Looks at the clock and the memory now and then.
    func mayGoOn() -> Bool {
        if ContinuousClock.now > deadline || !goesOn() { return refuse(.tooLong) }
        if sqlite3_memory_used() > memory { return refuse(.tooMuchMemory) }
        return true
    }

    /// What is not here can make large values at once, or reads the outside.
    private static let functions: Set<String> = [
        "->", "->>", "abs", "acos", "asin", "atan", "atan2", "avg", "ceil", "ceiling", "char", "coalesce", "concat",
        "concat_ws", "cos", "count", "cume_dist", "current_date", "current_time", "current_timestamp", "date",
        "datetime", "degrees", "dense_rank", "exp", "first_value", "floor", "format", "glob", "group_concat", "hex",
        "ifnull", "iif", "instr", "json", "json_array", "json_array_length", "json_extract", "json_group_array",
        "json_group_object", "json_object", "json_type", "json_valid", "julianday", "lag", "last_value", "lead",
        "length", "like", "likelihood", "likely", "ln", "log", "log10", "log2", "lower", "ltrim", "max", "min", "mod",
        "nth_value", "ntile", "nullif", "percent_rank", "pi", "pow", "power", "printf", "quote", "radians", "rank",
        "replace", "round", "row_number", "rtrim", "sign", "sin", "sqrt", "strftime", "string_agg", "substr",
        "substring", "sum", "tan", "time", "total", "trim", "trunc", "typeof", "unicode", "unixepoch", "unlikely",
        "upper",
    ]
}
