import Scripting
import TextFormats

/// Finds the route of a path.
struct RouteMatch: Sendable {
    /// Routes of one path by their method, with what stands where the path has names.
    struct Found: Sendable {
        var routes: [Route.Verb: Route]
        /// In the order of the path.
        var values: [String]

        /// The arguments that the path holds for one of the routes.
        func members(of route: Route) -> JSONObject {
            var members = JSONObject()
            for (parameter, value) in zip(route.pathParameters, values) {
                members[parameter.name] = value == "me" ? .string(value) : parameter.type.json(ofText: value)
            }
            return members
        }
    }

    private struct Place: Sendable {
        /// nil stands for any segment.
        var pattern: [String?]
        var routes: [Route.Verb: Route]
    }

    private let places: [Int: [Place]]

    init(_ routes: [Route]) {
        var byPattern: [[String?]: [Route.Verb: Route]] = [:]
        for route in routes {
            let pattern = route.path.split(separator: "/").map { $0.hasPrefix("{") ? nil : String($0) }
            byPattern[pattern, default: [:]][route.verb] = route
        }
        let all = byPattern.map { Place(pattern: $0.key, routes: $0.value) }
        // Words come before what stands for any word.
        places = Dictionary(grouping: all, by: \.pattern.count).mapValues { places in
            places.sorted { left, right in left.pattern.count { $0 == nil } < right.pattern.count { $0 == nil } }
        }
    }

    func find(_ segments: some Collection<String>) -> Found? {
        for place in places[segments.count] ?? [] {
            var values: [String] = []
            let fits = zip(place.pattern, segments).allSatisfy { wanted, segment in
                if wanted == nil { values.append(segment) }
                return wanted == nil ? !segment.isEmpty : wanted == segment
            }
            if fits { return Found(routes: place.routes, values: values) }
        }
        return nil
    }
}
