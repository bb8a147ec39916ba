import Circulation
import LuaRuntime
import LuaSyntax
import TextFormats

extension PolicyReader {
    /// `match = { "branch", "category", "item_type", whole = true }`.
    mutating func readMatch(_ value: LuaValue) {
        let place = outline?[PolicyKey.match.rawValue]
        guard let table = value.tableValue else { return expect("a list of conditions", of: "match", value, at: place) }
        var order = MatchPrecedence(dimensions: [])
        for entry in table.entries {
            guard let key = entry.key.stringValue else {
                if let position = entry.key.integerValue { readDimension(position, entry.value, into: &order) }
                continue
            }
            guard key == "whole" else {
                complain(
                    "unknown_rule_field", "match has no field '\(key)'; it takes conditions and whole = true",
                    at: place?.entry(named: key) ?? place?.value.range,
                    suggestion: NameSuggestion.nearest(to: key, among: ["whole"]))
                continue
            }
            guard let whole = entry.value.booleanValue else {
                complain(
                    "wrong_type", "match.whole must be true or false, not \(Self.words(entry.value))",
                    at: place?.entry(named: key) ?? place?.value.range)
                continue
            }
            order.wholeRows = whole
        }
        if order.dimensions.isEmpty && !order.wholeRows && table.entries.isEmpty {
            complain(
                "wrong_type", "match must name conditions, the most important first, or say whole = true",
                at: place?.value.range)
        }
        content.tables.match = order
    }

    private mutating func readDimension(_ position: Int64, _ value: LuaValue, into order: inout MatchPrecedence) {
        let place = outline?[PolicyKey.match.rawValue]
        let range = place?.entry(at: position) ?? place?.value.range
        let known = RowConditions.names.filter { $0 != "when" }
        guard let name = value.stringValue else {
            return complain("wrong_type", "match must name conditions, not \(Self.words(value))", at: range)
        }
        guard known.contains(name) else {
            let why = name == "when" ? "match cannot weigh when" : "rows have no condition '\(name)' for match to weigh"
            return complain(
                "unknown_rule_field", why, at: range, suggestion: NameSuggestion.nearest(to: name, among: known))
        }
        guard !order.dimensions.contains(name) else {
            return complain("wrong_type", "match names '\(name)' twice", at: range)
        }
        order.dimensions.append(name)
    }
}

extension PolicyOutline.Field {
    fileprivate func entry(at position: Int64) -> SourceRange? {
        guard case .table(let table) = value.kind else { return nil }
        return table.entries.first { if case .position(let index) = $0.key { index == position } else { false } }?.value
            .range
    }

    fileprivate func entry(named name: String) -> SourceRange? {
        guard case .table(let table) = value.kind else { return nil }
        return table.entries.first { $0.name?.name == name }?.name?.range
    }
}
