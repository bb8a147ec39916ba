import Scripting
import TextFormats

/// Finds the route of a path of the API.
typealias RouteMatch = PathMatch<Route>

extension Route: Routed {}

extension RouteMatch.Found {
    /// The arguments that the path holds for one of the routes.
    func members(of route: Route) -> JSONObject {
        var members = JSONObject()
        for (parameter, value) in zip(route.pathParameters, values) {
            members[parameter.name] = value == "me" ? .string(value) : parameter.type.json(ofText: value)
        }
        return members
    }
}
