/// What a row says about the charge for borrowing.
package struct RentalTerms: Sendable {
    private static let need = RuleField.Need("rental", otherwise: "what it matches costs nothing")

    static let fields = [
        RuleField("rental", .rental, .money, "What borrowing costs for each started `rental_per`."),
        RuleField(
            "rental_per", .rental, .period, with: [.notEmpty], needs: need,
            "The unit of the rental charge; without it, once a loan."),
        RuleField(
            "rental_closed_days", .rental, .boolean, standard: .boolean(true), needs: need,
            "Whether days on which the branch is closed are charged."),
    ]

    /// nil: nothing is charged.
    package let rental: Money?
    /// nil: once a loan.
    package let per: Period?
    package let countsClosedDays: Bool

    init(_ row: RuleFieldReader) {
        rental = row.money("rental")
        per = row.period("rental_per")
        countsClosedDays = row.boolean("rental_closed_days")
    }
}
