import Circulation
import LuaSyntax
import TextFormats

/// Says what to write in place of a value of the wrong kind in a row.
enum ValueCorrection {
    /// The finding with a suggestion, where it is about a literal that can only have been meant one way.
    ///
    /// It stands where the literal does, which may be in a variable of its own.
    static func added(
        to finding: Finding, in file: String?, outline: PolicyOutline?, source: SourceText?, scopes: ScopeAnalysis?
    ) -> Finding {
        guard finding.code == "wrong_type", finding.suggestion == nil, finding.file == file, let outline, let source,
            let scopes
        else {
            return finding
        }
        let fields = outline.rows.flatMap { row in row.fields.map { (row.table, $0) } }
        guard let (table, field) = fields.first(where: { $0.1.value.range.start == finding.position }) else {
            return finding
        }
        let value = scopes.written(field.value)
        return Finding(
            code: finding.code, severity: finding.severity, file: finding.file, range: value.range,
            message: finding.message, suggestion: suggestion(for: value, field.name, table, source))
    }

    private static func suggestion(
        for value: Expression, _ name: String, _ table: String, _ source: SourceText
    ) -> String? {
        if let kind = otherFields[name], table != PolicyTable.rules.rawValue {
            return ComparisonFaults.literal(value, as: kind, source)
        }
        guard let field = RuleField.named[name] else { return nil }
        switch field.kind {
        case .period, .dateOrPeriod: return ComparisonFaults.literal(value, as: "period", source)
        case .money, .moneyOrReplacementPrice: return ComparisonFaults.literal(value, as: "money", source)
        case .integer: return ComparisonFaults.literal(value, as: "number", source)
        case .choice:
            return value.stringLiteral.flatMap { NameSuggestion.nearest(to: $0, among: field.choices) }
                .map { "\"\($0)\"" }
        default: return nil
        }
    }

    /// The kinds of the fields of `limits`, `notices` and `membership`.
    private static let otherFields = [
        "max": "number", "before": "period", "after": "period", "every": "period", "times": "number",
        "charge": "money", "within": "period", "owed_for": "period", "owed": "money", "lasts": "period",
        "at_least": "period",
        "until_date": "date", "until_age": "number", "from_age": "number", "under_age": "number",
    ]
}
