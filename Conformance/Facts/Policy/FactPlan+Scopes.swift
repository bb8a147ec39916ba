import Circulation
import TextFormats

extension FactPlan {
    /// Rows that hold for groups of libraries: `{scope, loan_days}`.
    func readScopedRules() throws {
        guard given.object["rules"]?.arrayValue?.first?["loan_days"] != nil else { return }
        branch = try when.text("at_branch")
        policy.match = LuaText.list(["branch"]).bracketed
        for rule in try given.parts("rules") ?? [] {
            guard let days = try rule.number("loan_days") else { throw given.unreadable("rules") }
            var row = PolicyText.Row()
            if let group = try groupOfBranches(rule) {
                row["branch"] = LuaText.list(group)
                branches += group
            }
            row["loan"] = "days(\(days))"
            policy.rules.append(row)
        }
        if let branch { branches.append(branch) }
    }

    /// The branches of `group of libraries {BR1, BR2}`; nil for everywhere.
    private func groupOfBranches(_ rule: FieldReading) throws -> [String]? {
        guard let scope = try rule.text("scope") else { return nil }
        if ["everywhere", "default", "*", "all libraries"].contains(scope.lowercased()) { return nil }
        guard let open = scope.firstIndex(of: "{"), let close = scope.lastIndex(of: "}"), open < close else {
            if scope.lowercased().hasPrefix("library ") { return [String(scope.dropFirst(8))] }
            throw rule.unreadable("scope")
        }
        return scope[scope.index(after: open)..<close].split { ", ".contains($0) }.map(String.init)
    }
}

extension String {
    /// A list of one as Lua writes lists.
    var bracketed: String { hasPrefix("{") ? self : "{ \(self) }" }
}
