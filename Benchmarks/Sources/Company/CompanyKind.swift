import Foundation

/// Who else is at work while the desk lends.
package enum CompanyKind: String, Hashable, Sendable, CaseIterable {
    case alone
    /// `notices sweep`, of a quarter of all open loans overdue.
    case sweep
    /// `import` of titles.
    case `import`
    case backup
    case doctor
    /// A plugin that keeps something after each loan and each return.
    case plugins
    /// Anonymous readers, one request after the other each.
    case readers

    /// The command that is run, again and again but for a sweep: another one would find nothing to do.
    func arguments(_ folder: URL) -> [String]? {
        switch self {
        case .alone, .plugins, .readers: nil
        case .sweep: ["notices", "sweep", "--json"]
        case .import: ["import", folder.appendingPathComponent("titles.csv").path]
        case .backup: ["backup", "--force", folder.appendingPathComponent("backup.db").path]
        case .doctor: ["doctor"]
        }
    }

    var isRepeated: Bool { self != .sweep }

    /// Counts the loans of each patron.
    static let plugin = """
        local function count(event)
            local key = "patron " .. event.patron.id
            state.set(key, (state.get(key) or 0) + 1, event.patron)
        end

        return plugin {
            api = 1, name = "tally", version = "1", description = "Counts loans and returns",
            on = { ["loan.made"] = count, ["loan.returned"] = count },
        }
        """

    /// What readers look at.
    static let pages = [
        "/", "/search?text=rivers", "/titles/", "/search?text=history+of+rivers", "/titles/", "/search?text=art&page=3",
    ]
}
