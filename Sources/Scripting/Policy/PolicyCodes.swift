package import Circulation

/// The codes that the words of policies take.
package enum PolicyCodes {
    /// The standard checks that `allow { despite = ... }` may set aside at a point.
    package static func setAside(at point: DecisionPoint) -> [String] { AnswerReader.standardCodes(at: point) }
}
