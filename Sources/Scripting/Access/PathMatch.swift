/// What answers under a method and a path.
package protocol Routed: Sendable {
    /// Methods of HTTP, in small letters.
    associatedtype Verb: Hashable & Sendable & RawRepresentable<String>

    var verb: Verb { get }
    /// `{name}` stands for any segment.
    var path: String { get }
    /// The verb of what answers by every method that nothing else answers by; nil: there is none.
    static var rest: Verb? { get }
}

extension Routed {
    package static var rest: Verb? { nil }
}

/// Finds what answers at a path.
package struct PathMatch<Way: Routed>: Sendable {
    /// What answers at one path by its method, with what stands where the path has names.
    package struct Found: Sendable {
        package var ways: [Way.Verb: Way]
        /// In the order of the path.
        package var values: [String]

        /// What answers by a method of HTTP; HEAD is answered as GET.
        ///
        /// - Throws: ``Problem`` with the methods that there are.
        package func way(by method: String) throws(Problem) -> Way {
            let verb = Way.Verb(rawValue: method == "HEAD" ? "get" : method.lowercased())
            if let verb, method == method.uppercased(), let way = ways[verb] { return way }
            if let rest = Way.rest, let way = ways[rest] { return way }
            let names = ways.keys.map { $0.rawValue.uppercased() }
            let words = (names + (names.contains("GET") ? ["HEAD"] : [])).sorted().joined(separator: ", ")
            throw Problem(405, "method", "Only \(words) can be used here.", fields: ["Allow": words])
        }
    }

    private struct Place: Sendable {
        var pattern: PathPattern
        var ways: [Way.Verb: Way]
    }

    private let places: [Int: [Place]]

    package init(_ all: [Way]) {
        var byPattern: [PathPattern: [Way.Verb: Way]] = [:]
        for way in all { byPattern[PathPattern(way.path), default: [:]][way.verb] = way }
        let all = byPattern.map { Place(pattern: $0.key, ways: $0.value) }
        places = Dictionary(grouping: all, by: \.pattern.segments.count).mapValues { places in
            places.sorted { $0.pattern < $1.pattern }
        }
    }

    /// What is at a path; nil: nothing.
    package func find(_ segments: some Collection<String>) -> Found? {
        for place in places[segments.count] ?? [] {
            if let values = place.pattern.values(in: segments) { return Found(ways: place.ways, values: values) }
        }
        return nil
    }
}

/// A path as it is declared: words, and names in braces that stand for any segment.
package struct PathPattern: Hashable, Comparable, Sendable {
    /// nil stands for any segment.
    package let segments: [String?]

    package init(_ path: String) {
        segments = path.split(separator: "/").map { $0.hasPrefix("{") ? nil : String($0) }
    }

    /// The segments that stand in the places of names; nil where a path is another.
    package func values(in path: some Collection<String>) -> [String]? {
        guard path.count == segments.count else { return nil }
        var values: [String] = []
        let fits = zip(segments, path).allSatisfy { wanted, segment in
            if wanted == nil { values.append(segment) }
            return wanted == nil ? !segment.isEmpty : wanted == segment
        }
        return fits ? values : nil
    }

    /// Whether every path of another is one of this as well.
    package func covers(_ other: PathPattern) -> Bool {
        segments.count == other.segments.count && zip(segments, other.segments).allSatisfy { $0 == nil || $0 == $1 }
    }

    /// Words come before what stands for any word; of as many words, those that stand farther in front.
    package static func < (left: PathPattern, right: PathPattern) -> Bool {
        func rank(_ pattern: PathPattern) -> (Int, String) {
            // A name sorts behind every word.
            (
                pattern.segments.count { $0 == nil },
                pattern.segments.map { $0.map { "a" + $0 } ?? "b" }.joined(separator: "/")
            )
        }
        return rank(left) < rank(right)
    }
}
