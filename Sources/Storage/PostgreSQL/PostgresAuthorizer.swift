/// Which functions of PostgreSQL a question may call.
///
/// Every role may call most of the server's functions, and some of them take locks, read the catalogue or wait. The server
/// plans nothing of a question that calls one which is not listed here.
enum PostgresAuthorizer {
    /// - Throws: ``SQLRefusal`` that names what cannot be used.
    static func check(_ text: String) throws(SQLRefusal) {
        let tokens = PostgresTokens.all(of: text)
        guard tokens.last != .malformed else {
            throw SQLRefusal(.statement, "a text, a name or a comment in it cannot be read")
        }
        for (index, token) in tokens.enumerated() {
            let name: String
            switch token {
            case .word(let word):
                guard !hidden.contains(word) else { throw refusal(word) }
                name = word
            case .quoted(let quoted):
                guard !hidden.contains(quoted) else { throw refusal(quoted) }
                name = quoted
            default: continue
            }
            guard index + 1 < tokens.count, tokens[index + 1] == .symbol(UInt8(ascii: "(")) else { continue }
            if functions.contains(name) || isColumnList(tokens, at: index) { continue }
            if case .word = token, words.contains(name) { continue }
            throw refusal(name)
        }
    }

    /// Names behind a dot that are no column of a view and no function of the list. The server takes `(1).name` for
    /// `name(1)`, so that none of them may be one of its functions.
    static func fields(of text: String) -> Set<String> {
        let tokens = PostgresTokens.all(of: text)
        var names: Set<String> = []
        for (dot, token) in zip(tokens, tokens.dropFirst()) where dot == .symbol(UInt8(ascii: ".")) {
            switch token {
            case .word(let name), .quoted(let name): names.insert(name)
            default: break
            }
        }
        return names.subtracting(functions).subtracting(columns)
    }

    private static let columns = Set(ReportView.all.flatMap { view in view.columns.map(\.name) })

    static func refusal(_ name: String) -> SQLRefusal {
        SQLRefusal(.forbidden, "the function '\(name)' cannot be used here")
    }

    /// A name of the statement's own with its columns: `WITH n(i)`, `AS s(i)`; also a type with its size.
    private static func isColumnList(_ tokens: [PostgresTokens.Token], at index: Int) -> Bool {
        guard index > 0 else { return false }
        if tokens[index - 1] == .word("as") { return true }
        if index > 1, tokens[index - 1] == .symbol(UInt8(ascii: ":")), tokens[index - 2] == tokens[index - 1] {
            return true
        }
        return tokens[index - 1] == .word("with") || tokens[index - 1] == .word("recursive")
    }

    /// Types that look names up in the catalogue, and words that tell who asks where.
    private static let hidden: Set<String> = [
        "current_catalog", "current_role", "current_schema", "current_user", "operator", "regclass", "regcollation",
        "regconfig", "regdictionary", "regnamespace", "regoper", "regoperator", "regproc", "regprocedure", "regrole",
        "regtype", "session_user", "system_user", "tablesample", "user", "xmltable",
    ]

    /// Words of the language before which a bracket may stand, without being functions.
    private static let words: Set<String> = [
        "all", "and", "any", "array", "as", "between", "by", "case", "cube", "distinct", "else", "except", "exists",
        "filter", "from", "group", "having", "ilike", "in", "intersect", "interval", "is", "join", "lateral", "like",
        "limit", "materialized", "not", "offset", "on", "or", "over", "partition", "recursive", "rollup", "row",
        "select", "sets", "similar", "some", "then", "union", "using", "values", "when", "where", "window", "with",
    ]

    /// Each works on what it is given alone, and takes no longer and no more than its answer is large.
    static let functions: Set<String> = [
        "abs", "acos", "age", "array_agg", "array_length", "array_to_string", "ascii", "asin", "atan", "atan2", "avg",
        "bit_length", "bool_and", "bool_or", "btrim", "cardinality", "cast", "cbrt", "ceil", "ceiling", "char_length",
        "character_length", "chr", "coalesce", "concat", "concat_ws", "corr", "cos", "count", "covar_pop",
        "covar_samp", "cume_dist", "date", "date_bin", "date_part", "date_trunc", "degrees", "dense_rank", "div",
        "every", "exp", "extract", "first_value", "floor", "format", "generate_series", "greatest", "initcap",
        "json_agg", "json_array_elements", "json_array_elements_text", "json_array_length", "json_build_array",
        "json_build_object", "json_object_agg", "json_typeof", "jsonb_agg", "jsonb_array_elements",
        "jsonb_array_elements_text", "jsonb_array_length", "jsonb_build_array", "jsonb_build_object",
        "jsonb_object_agg", "jsonb_typeof", "justify_days", "justify_hours", "lag", "last_value", "lead", "least",
        "left", "length", "ln", "log", "log10", "lower", "lpad", "ltrim", "make_date", "max", "md5", "min", "mod",
        "mode", "now", "nth_value", "ntile", "nullif", "octet_length", "overlay", "percent_rank", "percentile_cont",
        "percentile_disc", "pi", "position", "pow", "power", "radians", "rank", "regexp_count", "regexp_like",
        "regexp_match", "regexp_matches", "regexp_replace", "regexp_split_to_array", "regexp_split_to_table",
        "regexp_substr", "regr_count", "regr_intercept", "regr_r2", "regr_slope", "repeat", "replace", "reverse",
        "right", "round", "row_number", "rpad", "rtrim", "sign", "sin", "split_part", "sqrt", "starts_with", "stddev",
        "stddev_pop", "stddev_samp", "string_agg", "string_to_array", "string_to_table", "strpos", "substr",
        "substring", "sum", "tan", "to_char", "to_date", "to_number", "to_timestamp", "translate", "trim", "trunc",
        "unnest", "upper", "var_pop", "var_samp", "variance", "width_bucket",
        // Types with a size, as in CAST.
        "char", "character", "decimal", "numeric", "time", "timestamp", "timestamptz", "varchar", "varying",
    ]
}
