/// What a row says about lending at all.
package struct LendingTerms: Sendable {
    static let fields = [
        RuleField("lend", .lending, .boolean, standard: .boolean(true), "Whether the copy is lent at all."),
        RuleField(
            "reason", .lending, .text, needs: .init("lend", otherwise: "what it matches is lent"),
            "What the refusal says where `lend` is false."),
    ]

    package let lends: Bool
    package let reason: String?

    init(_ row: RuleFieldReader) {
        lends = row.boolean("lend")
        reason = row.text("reason")
    }
}
