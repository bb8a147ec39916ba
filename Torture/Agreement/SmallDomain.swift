import Circulation
import TextFormats

/// All cases of few values: of those fields that a policy and its promises name.
struct SmallDomain {
    private let point: DecisionPoint
    private var fields: [(path: [String], values: [JSON?])] = []

    /// With more cases they are not gone through one by one.
    private static let most = 4_000

    private static let counts: [JSON?] = [0, 1, 2, 3]
    private static let anything: [JSON?] = [nil, "a", "1", "", 1, 18, .number(2.5), true, false, ["a"]]
    private static let known: [(name: String, path: [String], values: [JSON?])] = [
        (".holds", ["patron", "holds"], counts), (".overdue", ["patron", "overdue"], counts),
        (".lost", ["patron", "lost"], counts), (".claims", ["patron", "claims"], counts),
        (".age", ["patron", "age"], [nil] + counts),
        (".fees_owed", ["patron", "fees_owed"], ["-1.00", "0.00", "0.01", "1.00", "2.50", "10.00"]),
        (".language", ["patron", "language"], [nil, "a", "b", "1"]),
        ("patron.extra.x", ["patron", "extra", "x"], anything), ("patron.extra.y", ["patron", "extra", "y"], anything),
        ("title.extra.x", ["title", "extra", "x"], anything), ("title.extra.y", ["title", "extra", "y"], anything),
        (".holds_waiting", ["title", "holds_waiting"], [0, 1]),
        (".genres", ["title", "genres"], [[], ["a"], ["a", "b"]]),
        (".loans", ["patron", "loans"], [0, 1, 2]), ("limits", ["patron", "loans"], [0, 2, 4]),
        (".channel", ["actor", "channel"], ["desk", "web", "self"]),
        ("channel =", ["actor", "channel"], ["desk", "web"]),
        (".renewals", ["loan", "renewals"], [0, 1, 2, 5]),
    ]
    private static let codes: [(name: String, path: [String], values: [JSON?])] = [
        ("categor", ["patron", "category"], [["child"], ["a", "child"], ["adult"], ["b"], ["a"]]),
        ("item_type", ["copy", "item_type"], [["dvd"], ["book"], ["dvd", "book"], ["b"]]),
        ("branch", ["branch"], [["north"], ["main"], ["north", "main"]]),
    ]

    init(_ text: PolicyWriter.Text) {
        point = text.point
        let source = text.policy + text.properties
        for field in Self.known + Self.codes where source.contains(field.name) {
            guard field.path[0] != "loan" || point.isAboutLoan, !fields.contains(where: { $0.path == field.path })
            else {
                continue
            }
            fields.append((field.path, field.values))
        }
    }

    /// Each case; none where there are too many.
    var cases: [JSONObject] {
        var size = 1
        for field in fields {
            size *= field.values.count
            if size > Self.most { return [] }
        }
        return (0..<size).map { number in
            var (rest, object) = (number, JSON.object(["point": .string(point.rawValue)]))
            for (path, values) in fields {
                let value = values[rest % values.count]
                rest /= values.count
                if let value { object = object.setting(path[...], to: value) }
            }
            return object.objectValue ?? [:]
        }
    }
}

extension JSON {
    fileprivate func setting(_ path: ArraySlice<String>, to value: JSON) -> JSON {
        guard let name = path.first else { return value }
        var object = objectValue ?? [:]
        object[name] = (object[name] ?? .object([:])).setting(path.dropFirst(), to: value)
        return .object(object)
    }
}
