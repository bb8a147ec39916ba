import Circulation
package import Desk
package import TextFormats

/// What is known of the policy beside the one in force.
package struct ShadowReport: Sendable {
    package let shadow: ShadowPolicy
    package let progress: ShadowProgress
    /// The latest last.
    package let differences: [ShadowDifference]
    private let library: LibrarySettings

    /// - Parameters:
    ///   - place: only differences behind it in the decision log.
    ///   - limit: the latest so many.
    /// - Returns: nil where none stands there.
    /// - Throws: what the store throws.
    package init?(_ session: DeskSession, after place: Int64 = 0, limit: Int = ShadowProgress.mostKept) throws {
        guard let shadow = try session.shadow.current() else { return nil }
        self.shadow = shadow
        progress = try session.shadow.progress(of: shadow)
        differences = try session.shadow.differences(of: shadow, after: place, limit: limit)
        library = try session.settings.library()
    }

    /// `a3f0c2d41b7e  strict  beside the one in force since …, by …: 412 decisions, 7 otherwise, none failed`
    package var summary: String {
        let failed = progress.failed == 0 ? "none failed" : "\(progress.failed) of them failures"
        let note = shadow.note.isEmpty ? "" : " (\(shadow.note))"
        return "\(shadow.policy.prefix(12))  \(shadow.name)  beside the one in force since \(shadow.since), by"
            + " \(shadow.actor)\(note): \(progress.decided) decisions, \(progress.different) otherwise, \(failed)"
    }

    /// `2026-11-25T16:20:11Z  checkout  child, dvd, north: granted, due 2026-12-09 -> limit, limits row 2, new.lua:7`
    package func line(_ difference: ShadowDifference) -> String {
        let (before, after) = words(difference)
        return "\(difference.at)  \(difference.point.rawValue)  \(about(difference)): \(before) -> \(after)"
    }

    /// `child, dvd, north`
    package func about(_ difference: ShadowDifference) -> String {
        [difference.category, difference.itemType, difference.branch].compactMap { $0 }.joined(separator: ", ")
    }

    /// Both answers, each with the row or line that decided.
    package func words(_ difference: ShadowDifference) -> (before: String, after: String) {
        let after = difference.failure.map { failure in
            let place = failure.file.map { " (\($0):\(failure.line ?? 1))" } ?? ""
            return "failed: \(failure.message)\(place)"
        }
        return (words(difference.before), after ?? words(difference.after))
    }

    private func words(_ answer: ReplayedAnswer) -> String {
        let words = answer.words(in: library)
        guard answer.isGranted, let origin = answer.origin else { return words }
        return "\(words), \(PolicyExplanation.words(origin))"
    }

    // MARK: - JSON

    /// `{"policy", "name", "note", "actor", "since", "decided", "different", "failed", "differences": []}`
    package var json: JSON {
        JSON { writer in
            writer.beginObject()
            writer.member("policy", shadow.policy)
            writer.member("name", shadow.name)
            writer.member("note", shadow.note)
            writer.member("actor", shadow.actor)
            writer.member("since", shadow.since)
            writer.member("decided", progress.decided)
            writer.member("different", progress.different)
            writer.member("failed", progress.failed)
            writer.key("differences")
            writer.beginArray()
            for difference in differences { writer.value(json(difference)) }
            writer.endArray()
            writer.endObject()
        }
    }

    /// `{"event", "at", "point", "category", "item_type", "branch", "before": {}, "after": {}, "failure"}`
    package func json(_ difference: ShadowDifference) -> JSON {
        JSON { writer in
            writer.beginObject()
            writer.member("event", difference.event)
            writer.member("at", difference.at)
            writer.member("point", difference.point.rawValue)
            writer.member("category", difference.category)
            writer.member("item_type", difference.itemType)
            writer.member("branch", difference.branch)
            writer.object("before") { difference.before.writeMembers(to: &$0, currency: library.currency) }
            writer.object("after") { difference.after.writeMembers(to: &$0, currency: library.currency) }
            writer.key("failure")
            writer.value(difference.failure?.json ?? .null)
            writer.endObject()
        }
    }

    /// Figures in the text format of Prometheus.
    package var metrics: [String] {
        let figures = [
            ("same", progress.decided - progress.different), ("otherwise", progress.different - progress.failed),
            ("failed", progress.failed),
        ]
        let name = "moonshelf_policy_shadow_decisions_total"
        return [
            "# HELP \(name) Decisions that the policy beside the one in force makes as that does, otherwise, or not at all.",
            "# TYPE \(name) counter",
        ] + figures.map { "\(name){outcome=\"\($0.0)\"} \($0.1)" }
    }
}

extension ReplayedAnswer {
    /// `granted, due 2026-12-09`; of a refusal the row or line that refused.
    func words(in library: LibrarySettings) -> String {
        if self == .void { return "void" }
        var words: [String] = [word]
        if isGranted, let due { words.append("due \(library.zone.date(of: due))") }
        if let priority { words.append("priority \(priority)") }
        if let suspendedUntil { words.append("suspended until \(suspendedUntil)") }
        if cost != 0 { words.append(Money(minorUnits: cost, currency: library.currency).description) }
        if !isGranted, let place = origin.map(ReplayCounts.Place.init) {
            words.append("\(place.what), \(place.file):\(place.line)")
        }
        return words.joined(separator: ", ")
    }
}
