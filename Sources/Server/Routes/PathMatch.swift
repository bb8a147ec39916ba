import Scripting

/// What answers under a method and a path.
protocol Routed: Sendable {
    var verb: Route.Verb { get }
    /// `{name}` stands for any segment.
    var path: String { get }
}

extension Route: Routed {}

/// Finds what answers at a path.
struct PathMatch<Way: Routed>: Sendable {
    /// What answers at one path by its method, with what stands where the path has names.
    struct Found: Sendable {
        var ways: [Route.Verb: Way]
        /// In the order of the path.
        var values: [String]

        /// What answers by a method of HTTP; HEAD is answered as GET.
        ///
        /// - Throws: ``Problem`` with the methods that there are.
        func way(by method: String) throws(Problem) -> Way {
            let verb = Route.Verb(rawValue: method == "HEAD" ? "get" : method.lowercased())
            if let verb, method == method.uppercased(), let way = ways[verb] { return way }
            let allowed = ways.keys.map { $0.rawValue.uppercased() } + (ways[.get] == nil ? [] : ["HEAD"])
            let words = allowed.sorted().joined(separator: ", ")
            throw Problem(405, "method", "This can be asked for by \(words) alone.", fields: ["Allow": words])
        }
    }

    private struct Place: Sendable {
        /// nil stands for any segment.
        var pattern: [String?]
        var ways: [Route.Verb: Way]
    }

    private let places: [Int: [Place]]

    init(_ all: [Way]) {
        var byPattern: [[String?]: [Route.Verb: Way]] = [:]
        for way in all {
            let pattern = way.path.split(separator: "/").map { $0.hasPrefix("{") ? nil : String($0) }
            byPattern[pattern, default: [:]][way.verb] = way
        }
        let all = byPattern.map { Place(pattern: $0.key, ways: $0.value) }
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
            if fits { return Found(ways: place.ways, values: values) }
        }
        return nil
    }
}
