package import TextFormats

/// What was expected under a name, and what the desk came to.
package struct FactAnswer: Hashable, Sendable {
    package var field: String
    package var expected: JSON
    package var found: JSON

    package var holds: Bool { expected == found }
}
