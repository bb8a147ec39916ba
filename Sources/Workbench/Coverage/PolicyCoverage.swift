import Circulation
import LuaSyntax
package import Scripting

/// What of a policy or a plugin its tests made run: statements and branches of its functions, rows of its tables.
package struct PolicyCoverage: Sendable {
    /// How many of all.
    package struct Count: Hashable, Sendable {
        package let covered: Int
        package let total: Int

        /// 0 to 100, rounded down; of nothing all is covered.
        package var percent: Int { total == 0 ? 100 : covered * 100 / total }
    }

    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case line, branch, row
    }

    /// A place and how often it ran. A row counts once however often it decided.
    package struct Place: Hashable, Sendable {
        package let kind: Kind
        package fileprivate(set) var file: String
        package let line: Int
        package let column: Int
        package var count: Int
        /// Of a row its table and its one-based place.
        package let row: PolicyTableRow?
    }

    package private(set) var places: [Place]

    package init(places: [Place] = []) {
        self.places = places
    }

    /// What the marks counted.
    package init(_ probes: PolicyProbes) {
        places = zip(probes.sites, probes.counts).map { site, count in
            Place(
                kind: site.kind == .line ? .line : .branch, file: site.file, line: site.range.start.line,
                column: site.range.start.column, count: count, row: nil)
        }
    }

    /// - Parameter rows: those that had a part in a decision.
    init(_ probes: PolicyProbes, tables: CompiledTables, rows: Set<PolicyTableRow>) {
        self.init(probes)
        let source = tables.source
        let all: [(PolicyTable, [SourcePlace])] = [
            (.limits, source.limits.map(\.place)), (.rules, source.rules.map(\.place)),
            (.notices, source.notices.map(\.place)), (.membership, source.membership.map(\.place)),
        ]
        for (table, list) in all {
            for (index, place) in list.enumerated() {
                let row = PolicyTableRow(table: table, row: index)
                places.append(
                    Place(
                        kind: .row, file: place.file, line: place.line, column: 1, count: rows.contains(row) ? 1 : 0,
                        row: row))
            }
        }
    }

    package var lines: Count { count(of: linePlaces) }
    package var branches: Count { count(of: places.filter { $0.kind == .branch }) }
    package var rows: Count { count(of: places.filter { $0.kind == .row }) }

    /// Whether there are any; a plugin has none.
    var hasRows: Bool { places.contains { $0.kind == .row } }

    /// What no test made run, by file and line; each line once.
    package var uncovered: [Place] {
        (linePlaces + places.filter { $0.kind != .line }).filter { $0.count == 0 }
            .sorted {
                ($0.file, $0.line, $0.kind.rawValue, $0.column) < ($1.file, $1.line, $1.kind.rawValue, $1.column)
            }
    }

    /// The least of the three, in percent.
    package var leastPercent: Int { min(lines.percent, branches.percent, rows.percent) }

    /// A line runs if any of its statements does.
    private var linePlaces: [Place] {
        var byLine: [String: [Int: Place]] = [:]
        for place in places where place.kind == .line {
            let known = byLine[place.file]?[place.line]
            if known == nil || (known?.count ?? 0) < place.count {
                byLine[place.file, default: [:]][place.line] = place
            }
        }
        return byLine.values.flatMap(\.values)
    }

    /// How often each line of a file ran.
    func lineCounts(of file: String) -> [Int: Int] {
        Dictionary(linePlaces.filter { $0.file == file }.map { ($0.line, $0.count) }) { max($0, $1) }
    }

    private func count(of places: [Place]) -> Count {
        Count(covered: places.count { $0.count > 0 }, total: places.count)
    }

    /// The same of files of other names.
    func renamed(_ name: (String) -> String) -> PolicyCoverage {
        var renamed = self
        for index in places.indices { renamed.places[index].file = name(places[index].file) }
        return renamed
    }

    /// Both together: of one policy, as several workers saw it, or of several.
    ///
    /// Two branches may begin in one place, the arm of an `if` and the unwritten `else` of another that stands first in
    /// it: such places are distinguished by their order.
    package func merged(with other: PolicyCoverage) -> PolicyCoverage {
        var merged = self
        var indexes: [Place: [Int]] = [:]
        for (index, place) in places.enumerated() { indexes[place.uncounted, default: []].append(index) }
        var seen: [Place: Int] = [:]
        for place in other.places {
            let order = seen[place.uncounted, default: 0]
            seen[place.uncounted] = order + 1
            if let same = indexes[place.uncounted], order < same.count {
                merged.places[same[order]].count += place.count
            } else {
                merged.places.append(place)
            }
        }
        return merged
    }
}

extension PolicyCoverage.Place {
    fileprivate var uncounted: PolicyCoverage.Place {
        var place = self
        place.count = 0
        return place
    }
}
