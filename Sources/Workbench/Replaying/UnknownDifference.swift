package import Circulation
import TextFormats

/// Where it is not known what a candidate can answer otherwise than what decided, so that everything is asked.
package struct UnknownDifference: Hashable, Sendable {
    /// The version that decided; nil: all of them.
    package var version: String?
    /// nil: all points.
    package var point: DecisionPoint?
    /// Why, as a sentence.
    package var message: String

    /// `it is not known what differs from what 3f2a90c1b7de decided at checkout, so that is asked: too many ways.`
    package var words: String {
        let decided = version.map { "what \($0.prefix(12)) decided" } ?? "what was decided"
        let place = point.map { " at \($0.rawValue)" } ?? ""
        return "it is not known what differs from \(decided)\(place), so that is asked: \(message)"
    }

    /// `"policy", "point", "message"`; null where all are meant.
    func writeMembers(to writer: inout JSONWriter) {
        writer.nullable("policy", version)
        writer.nullable("point", point?.rawValue)
        writer.member("message", message)
    }
}
