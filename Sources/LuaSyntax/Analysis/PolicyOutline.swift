/// Where the parts of a policy file stand: `return policy { ... }`, its keys, its rows and its functions.
///
/// The policy, each list of rows and each function may also be reached through a local variable, and keys may be added to
/// the policy's variable one by one. Rows that running code adds to a list are not known here; a loaded policy knows them.
package struct PolicyOutline: Sendable {
    /// A key with its value.
    package struct Field: Hashable, Sendable {
        package let key: Identifier
        package let value: Expression

        package var name: String { key.name }
        /// From the key to the end of the value.
        package var range: SourceRange { SourceRange(start: key.range.start, end: value.range.end) }
    }

    /// A row of `limits`, `rules` or `notices`.
    package struct Row: Hashable, Sendable {
        /// The key of the list it stands in, such as `rules`.
        package let table: String
        /// Its one-based place in the list.
        package let index: Int
        package let range: SourceRange
        /// Empty where the row is not written as a table but comes from a call or a variable.
        package let fields: [Field]
        /// Whether the row is written as a table, so that `fields` are all it has.
        package let isLiteral: Bool

        package var line: Int { range.start.line }

        /// The last field of that name, which is the one Lua keeps.
        package subscript(_ name: String) -> Field? { fields.last { $0.name == name } }
    }

    /// A function that decides: the value of a top-level key such as `checkout`.
    package struct DecisionFunction: Hashable, Sendable {
        package let key: Identifier
        package let body: FunctionBody

        package var name: String { key.name }
        /// From the word `function` to `end`.
        package var range: SourceRange { body.fullRange }
    }

    /// The function under `when` in a row.
    package struct Condition: Hashable, Sendable {
        package let table: String
        package let row: Int
        package let body: FunctionBody

        package var range: SourceRange { body.fullRange }
    }

    /// The keys whose values are lists of rows.
    package static let rowTables = ["limits", "rules", "notices", "membership"]

    /// The policy's table.
    package let range: SourceRange
    /// The top-level keys in the order in which they are written.
    package let fields: [Field]
    /// The rows of all lists, each list in order.
    package let rows: [Row]
    package let functions: [DecisionFunction]
    package let conditions: [Condition]
    /// The place among ``rows`` of each row of each list, the last where there are several.
    private let places: [String: [Int: Int]]

    /// - Returns: nil where the chunk does not return a policy.
    package init?(_ chunk: Chunk) {
        self.init(chunk, scopes: ScopeAnalysis(chunk))
    }

    /// The same for a chunk whose scopes have been analysed.
    package init?(_ chunk: Chunk, scopes: ScopeAnalysis) {
        guard let returned = chunk.returned, let first = returned.first,
            let argument = PolicyOutline.policyArgument(first, scopes),
            case .table(let table) = scopes.resolved(argument).kind
        else { return nil }
        range = table.range
        fields = PolicyOutline.fields(of: table) + PolicyOutline.fields(assignedTo: argument, in: chunk, scopes)
        functions = fields.compactMap { field in
            scopes.function(field.value).map { DecisionFunction(key: field.key, body: $0) }
        }
        rows = PolicyOutline.rowTables.flatMap { [fields] name in
            fields.last { $0.name == name }.map { PolicyOutline.rows(of: $0, scopes) } ?? []
        }
        places = rows.enumerated().reduce(into: [:]) {
            $0[$1.element.table, default: [:]][$1.element.index] = $1.offset
        }
        conditions = rows.compactMap { row in
            guard let field = row["when"], let body = scopes.function(field.value) else { return nil }
            return Condition(table: row.table, row: row.index, body: body)
        }
    }

    package var limits: [Row] { rows(of: "limits") }
    package var rules: [Row] { rows(of: "rules") }
    package var notices: [Row] { rows(of: "notices") }

    /// The rows of a list.
    package func rows(of table: String) -> [Row] {
        rows.filter { $0.table == table }
    }

    /// The row of a list at a one-based place; nil for a row that was added by running code.
    package func row(_ index: Int, of table: String) -> Row? {
        places[table]?[index].map { rows[$0] }
    }

    /// The last top-level key of that name, which is the one Lua keeps.
    package subscript(_ name: String) -> Field? { fields.last { $0.name == name } }

    /// The function of a decision point.
    package func function(_ name: String) -> DecisionFunction? {
        functions.last { $0.name == name }
    }

    // MARK: - Reading the tree

    private static func policyArgument(_ returned: Expression, _ scopes: ScopeAnalysis) -> Expression? {
        guard let call = scopes.resolved(returned).call, call.arguments.count == 1,
            case .variable(let callee) = scopes.resolved(call.callee).kind, callee.binding == .global,
            callee.name == "policy"
        else { return nil }
        return call.arguments.first
    }

    /// The keys that statements of the chunk add to the variable that holds the policy's table: `p.due = ...` and
    /// `function p.due() ... end`.
    private static func fields(
        assignedTo argument: Expression, in chunk: Chunk, _ scopes: ScopeAnalysis
    ) -> [Field] {
        guard let table = scopes.lastVariable(argument) else { return [] }
        return chunk.block.statements.flatMap { statement in
            assignments(of: statement).compactMap { target, value in
                guard let path = target.accessPath, path.steps.count == 1, case .field(let key) = path.steps[0],
                    case .suffixed(let expression) = target.kind, scopes.lastVariable(expression.base) == table
                else { return nil }
                return Field(key: key, value: value)
            }
        }
    }

    private static func assignments(of statement: Statement) -> [(target: Expression, value: Expression)] {
        switch statement.kind {
        case .assignment(let targets, let values): Array(zip(targets, values)).map { ($0, $1) }
        case .function(let target, let body):
            [(target, Expression(kind: .function(body), range: body.fullRange))]
        default: []
        }
    }

    fileprivate static func fields(of table: TableConstructor) -> [Field] {
        table.entries.compactMap { entry in entry.name.map { Field(key: $0, value: entry.value) } }
    }

    private static func rows(of field: Field, _ scopes: ScopeAnalysis) -> [Row] {
        guard case .table(let list) = scopes.resolved(field.value).kind else { return [] }
        return list.entries.compactMap { entry in
            entry.index.map { row(scopes.resolved(entry.value), index: $0, table: field.name) }
        }
    }

    private static func row(_ value: Expression, index: Int, table: String) -> Row {
        guard case .table(let constructor) = value.withoutParentheses.kind else {
            return Row(table: table, index: index, range: value.range, fields: [], isLiteral: false)
        }
        return Row(constructor, index: index, of: table)
    }
}

extension PolicyOutline.Row {
    /// A row that is written as a table.
    package init(_ constructor: TableConstructor, index: Int, of table: String) {
        self.init(
            table: table, index: index, range: constructor.range, fields: PolicyOutline.fields(of: constructor),
            isLiteral: true)
    }
}

extension TableConstructor.Entry {
    /// The place in the list, given by the entry's own place or by an integer in brackets.
    fileprivate var index: Int? {
        switch key {
        case .position(let index): return index
        case .expression(let key):
            guard case .integer(let value) = key.kind else { return nil }
            return Int(exactly: value)
        case .name: return nil
        }
    }
}
