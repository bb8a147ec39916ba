import Circulation
import LuaSyntax
package import Prover
package import TextFormats

/// What two policies decide differently.
package struct ComparisonReport {
    package let judgement: PolicyJudgement
    package internal(set) var points: [PointComparison] = []
    /// What of the policies differs beside their decisions.
    package internal(set) var settings: [Setting] = []

    /// A part of a policy that the desk reads by itself.
    package struct Setting {
        package let name: String
        package let before: String
        package let after: String

        static func differing(_ one: PolicyTables, _ other: PolicyTables) -> [Setting] {
            var settings: [Setting] = []
            func compare(_ name: String, _ before: String?, _ after: String?) {
                if before != after {
                    settings.append(Setting(name: name, before: before ?? "none", after: after ?? "none"))
                }
            }
            compare("notices_from", one.noticesFrom?.description, other.noticesFrom?.description)
            for code in Set(one.messages.keys).union(other.messages.keys).sorted() {
                compare("messages.\(code)", one.messages[code]?.words, other.messages[code]?.words)
            }
            return settings
        }
    }

    init(judgement: PolicyJudgement) { self.judgement = judgement }

    package var regions: Int { points.reduce(settings.count) { $0 + $1.regions.count } }
    package var unknown: Int { points.reduce(0) { $0 + $1.unknown.count } }
    /// Whether nothing was found, and nothing left open.
    package var isEqual: Bool { regions == 0 && unknown == 0 }

    // MARK: - Output

    /// `{"equal", "settings":[{"name","before","after"}], "points":[{"point","status","paths","regions":[{"where",
    /// "aspect","before","after","case"}],"because":[{"file","line","message"}]}]}`
    package var json: JSON {
        [
            judgement == .differs ? "equal" : "refines": .bool(isEqual),
            "settings": .array(
                settings.map { ["name": .string($0.name), "before": .string($0.before), "after": .string($0.after)] }),
            "points": .array(points.map(\.json)),
        ]
    }

    /// More regions of one point are for programs to read.
    private static let mostShown = 30

    package var text: String {
        var lines: [String] = settings.map { "\($0.name)\n    \($0.before) -> \($0.after)" }
        for point in points {
            for region in point.regions.prefix(Self.mostShown) { lines.append(region.text(at: point.point)) }
            if point.regions.count > Self.mostShown {
                lines.append("\(point.point.rawValue): \(point.regions.count - Self.mostShown) more; --json has all")
            }
        }
        for point in points {
            for why in point.unknown {
                lines.append("unknown  \(point.point.rawValue)\n         \(why.file):\(why.line): \(why.message)")
            }
        }
        return (lines + [summary]).joined(separator: "\n")
    }

    package var summary: String {
        let same = judgement == .differs ? "equal for every case" : "nothing is loosened, in any case"
        if isEqual { return points.count == DecisionPoint.allCases.count ? same : "\(same) at \(names(points))" }
        let kind = judgement == .differs ? "differ" : "loosen"
        var parts: [String] = []
        if regions > 0 {
            parts.append("\(regions) \(regions == 1 ? "region" : "regions") \(kind)\(regions == 1 ? "s" : "")")
        }
        if unknown > 0 { parts.append("\(unknown) unknown") }
        let equal = points.filter { $0.regions.isEmpty && $0.unknown.isEmpty }
        if !equal.isEmpty { parts.append("\(judgement == .differs ? "equal" : "nothing loosened") at \(names(equal))") }
        return parts.joined(separator: "; ")
    }

    private func names(_ points: [PointComparison]) -> String { points.map(\.point.rawValue).joined(separator: ", ") }
}

extension PolicyMessage {
    fileprivate var words: String {
        switch self {
        case .text(let text): "\"\(SafeText.line(text))\""
        case .byLanguage(let texts):
            texts.sorted { $0.key < $1.key }.map { "\($0.key) \"\(SafeText.line($0.value))\"" }.joined(separator: ", ")
        }
    }
}

extension DifferenceRegion {
    /// `category child and 2 loans of dvd or more`
    package var words: String { conditions.isEmpty ? "every case" : conditions.joined(separator: ", ") }

    fileprivate func text(at point: DecisionPoint) -> String {
        "\(point.rawValue): \(words)\n    \(change.words)\n    \(JSON.object(question).text())"
    }

    fileprivate var json: JSON {
        [
            "where": .array(conditions.map { .string($0) }), "aspect": .string(change.aspect.rawValue),
            "before": .string(change.before.words), "after": .string(change.after.words), "case": .object(question),
        ]
    }
}

extension PointComparison {
    /// `equal`, `different` or `unknown`.
    package var status: String { regions.isEmpty ? unknown.isEmpty ? "equal" : "unknown" : "different" }

    fileprivate var json: JSON {
        [
            "point": .string(point.rawValue), "status": .string(status), "paths": .integer(Int64(paths)),
            "regions": .array(regions.map(\.json)),
            "because": .array(
                unknown.map {
                    ["file": .string($0.file), "line": .integer(Int64($0.line)), "message": .string($0.message)]
                }),
        ]
    }
}
