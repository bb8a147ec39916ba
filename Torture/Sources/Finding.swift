/// Something that must not be.
package struct Finding: Hashable, Sendable {
    /// What kind of thing: `lost`, `twice`, `limit` and the like, in plain words.
    package var rule: String
    package var message: String

    init(_ rule: String, _ message: String) {
        self.rule = rule
        self.message = message
    }
}
