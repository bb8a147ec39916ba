/// The excesses that are known, each with the reason why it is left as it is: `unit TAB measure TAB reason` a line.
package struct GrowthExcessList {
    private var reasons: [Key: String] = [:]

    private struct Key: Hashable {
        var unit: String
        var measure: GrowthExcess.Measure
    }

    /// - Throws: ``BenchFailure`` that names the line and what is expected.
    package init(text: String, file: String) throws {
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 3, let measure = GrowthExcess.Measure(rawValue: fields[1]), !fields[2].isEmpty else {
                let measures = GrowthExcess.Measure.allCases.map(\.rawValue).joined(separator: ", ")
                throw BenchFailure(
                    "\(file):\(number + 1): a unit, one of \(measures) and a reason are expected, with tabs between them"
                )
            }
            let key = Key(unit: fields[0], measure: measure)
            guard reasons[key] == nil else {
                throw BenchFailure("\(file):\(number + 1): '\(fields[0])' stands here for the second time")
            }
            reasons[key] = fields[2]
        }
    }

    /// Why an excess is left; nil: it is not known.
    package func reason(_ excess: GrowthExcess) -> String? { reasons[Key(unit: excess.unit, measure: excess.measure)] }

    /// What is wrong, for a person: excesses that are not known, and known ones that are none any more.
    ///
    /// - Parameter measured: the units that were looked at. What was not may be an excess still.
    package func faults(_ found: [GrowthExcess], measured: Set<String>, withCPU: Bool = true) -> [String] {
        let present = Set(found.map { Key(unit: $0.unit, measure: $0.measure) })
        let new = found.filter { reason($0) == nil }.map {
            "\($0.words): mend it, or say why in the list of excesses"
        }
        let past = reasons.keys.filter {
            measured.contains($0.unit) && !present.contains($0) && (withCPU || $0.measure != .cpu)
        }
        return new
            + past.map { "\($0.unit) (\($0.measure.rawValue)) is no excess any more: take it off the list" }.sorted()
    }
}
