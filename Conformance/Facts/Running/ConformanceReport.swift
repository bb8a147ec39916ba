package import TextFormats

/// What became of many facts, by area.
package struct ConformanceReport: Sendable {
    package var results: [FactResult]

    package init(_ results: [FactResult]) { self.results = results }

    /// Tries each fact in turn.
    package init(trying facts: [Fact]) {
        results = facts.map { FactResult(trying: $0) }
    }

    package struct Area: Hashable, Sendable {
        package var name: String
        package var facts: Int
        package var counts: [FactResult.Outcome: Int]
    }

    /// In the order in which the areas first appear.
    package var areas: [Area] {
        var names: [String] = []
        for result in results where !names.contains(result.fact.area) { names.append(result.fact.area) }
        return names.map { name in
            let own = results.filter { $0.fact.area == name }
            let counts = Dictionary(grouping: own, by: \.outcome).mapValues(\.count)
            return Area(name: name, facts: own.count, counts: counts)
        }
    }

    /// Facts in the words of other systems, and those of them that were put into the neutral schema.
    package var foreign: Int { results.count { !$0.isNeutral } }
    package var translated: Int { results.count { $0.translation != nil } }

    /// How many of a hundred facts hold; 0 where there are none.
    package var share: Double {
        results.isEmpty ? 0 : 100 * Double(results.count { $0.outcome == .holds }) / Double(results.count)
    }
}

// MARK: - Texts

extension ConformanceReport {
    /// A table by area, and a line for each fact that does not hold.
    package var text: String {
        var lines = [Self.row("area", "facts", "holds", "differs", "not expressed")]
        for area in areas {
            let counts = FactResult.Outcome.allCases.map { "\(area.counts[$0] ?? 0)" }
            lines.append(Self.row(area.name, "\(area.facts)", counts[0], counts[1], counts[2]))
        }
        let totals = FactResult.Outcome.allCases.map { outcome in "\(results.count { $0.outcome == outcome })" }
        lines.append(Self.row("all", "\(results.count)", totals[0], totals[1], totals[2]))
        for outcome in [FactResult.Outcome.differs, .notExpressed] {
            let own = results.filter { $0.outcome == outcome }
            if own.isEmpty { continue }
            lines += ["", outcome == .differs ? "These differ:" : "These cannot be expressed:"]
            for result in own {
                lines.append("\(result.fact.id)  (\(result.fact.source))")
                lines.append("    \(result.explanation ?? "")")
            }
        }
        lines += ["", "\(Self.rounded(share)) % of \(results.count) facts hold."]
        if foreign > 0 { lines.append("\(translated) of \(foreign) facts in other words are translated by the table.") }
        return lines.joined(separator: "\n")
    }

    private static func row(_ cells: String...) -> String {
        cells.enumerated().map { index, cell in
            let room = String(repeating: " ", count: max(0, (index == 0 ? 14 : 15) - cell.count))
            return index == 0 ? cell + room : room + cell
        }.joined()
    }

    /// With one digit behind the point.
    package static func rounded(_ share: Double) -> String {
        let tenths = Int((share * 10).rounded(.down))
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// One object: `facts`, `holds`, `share`, `areas`, and each fact with its answers.
    package var json: JSON {
        JSON { writer in
            writer.beginObject()
            writer.key("facts")
            writer.integer(results.count)
            writer.key("holds")
            writer.integer(results.count { $0.outcome == .holds })
            writer.key("share")
            writer.number((share * 10).rounded(.down) / 10)
            writer.key("areas")
            writer.beginArray()
            for area in areas { area.write(to: &writer) }
            writer.endArray()
            writer.key("results")
            writer.beginArray()
            for result in results { result.write(to: &writer) }
            writer.endArray()
            writer.endObject()
        }
    }
}

extension ConformanceReport.Area {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("area")
        writer.string(name)
        writer.key("facts")
        writer.integer(facts)
        for outcome in FactResult.Outcome.allCases {
            writer.key(outcome.rawValue)
            writer.integer(counts[outcome] ?? 0)
        }
        writer.endObject()
    }
}

extension FactResult {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for (key, value) in [
            ("id", fact.id), ("area", fact.area), ("source", fact.source), ("outcome", outcome.rawValue),
        ] {
            writer.key(key)
            writer.string(value)
        }
        if let explanation {
            writer.key("reason")
            writer.string(explanation)
        }
        if let untranslated {
            writer.key("untranslated")
            writer.string(untranslated)
        }
        writer.key("answers")
        writer.beginArray()
        for answer in answers {
            writer.value(["field": .string(answer.field), "expected": answer.expected, "found": answer.found])
        }
        writer.endArray()
        writer.endObject()
    }

    /// The fact, the policy made of it, what was done, and what came of it.
    package var details: String {
        var lines = ["\(fact.id)  \(fact.source)", ""]
        for (name, object) in [("given", fact.given), ("when", fact.when), ("expect", fact.expect)] {
            lines.append("\(name): \(JSON.object(object).text())")
        }
        if let translation { lines += ["", "translated: \(translation.text)"] }
        for policy in policies { lines += ["", policy] }
        lines += journal + [""]
        for answer in answers {
            let verdict = answer.holds ? "as expected" : "expected \(answer.expected.text())"
            lines.append("\(answer.field): \(answer.found.text()), \(verdict)")
        }
        lines.append(explanation.map { "\(outcome.rawValue): \($0)" } ?? "It holds.")
        return lines.joined(separator: "\n")
    }
}
