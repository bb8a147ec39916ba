import Circulation
import LuaSyntax
package import Scripting
import TextFormats

extension ContributionKind {
    /// What answers requests: `routes = { ["GET /courier/{branch}"] = { role = "staff", run = function(request) ... end } }`.
    package static let routes = ContributionKind(
        "routes", "a route", .table,
        [
            Field("role", .oneOf(PluginRole.allCases.map(\.rawValue)), isRequired: true),
            Field("run", .function, isRequired: true),
            Field(wordsProblems, .function), Field("token", .text), Field("scope", .oneOf(scopes)),
        ],
        argument: { entry, field, api in
            field == wordsProblems ? FieldTree.problem : PluginRequest.fields(of: entry, api)
        },
        problem: PluginRoute.problem(of:))

    /// The field under which a route has the function that words what is refused.
    package static let wordsProblems = "problem"

    /// The groups of functions for which keys can be issued.
    private static let scopes = Set(LuaAPI.functions.filter { $0.route != nil }.map(\.group)).sorted()
}

/// For whom a route or a page of a plugin is.
package enum PluginRole: String, Hashable, Sendable, CaseIterable {
    case everyone, patron, staff, admin

    package var access: APIRoute.Access {
        switch self {
        case .everyone: .everyone
        case .patron: .holder
        case .staff: .staff
        case .admin: .admin
        }
    }
}
