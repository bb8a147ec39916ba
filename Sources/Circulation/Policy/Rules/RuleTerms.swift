/// The built-in fields of one row, read into types once.
package final class RuleTerms: Sendable {
    package let lending: LendingTerms
    package let period: PeriodTerms
    package let renewal: RenewalTerms
    package let fine: FineTerms
    package let suspension: SuspensionTerms
    package let hold: HoldTerms
    package let rental: RentalTerms
    package let sameTitle: SameTitleTerms
    package let lost: LostTerms

    /// The built-in defaults, for a group that no row sets.
    static let standard = RuleTerms(unchecked: RuleFieldReader(fields: [:]))

    /// - Throws: ``PolicyFailure`` with the code `wrong_type`, which names field, file and line.
    convenience init(_ row: RuleRow) throws {
        for (name, value) in row.fields {
            guard let complaint = RuleField.complaint(about: value, of: name) else { continue }
            let place = row.fieldPlaces[name] ?? row.place
            throw PolicyFailure(code: "wrong_type", message: complaint, file: place.file, line: place.line)
        }
        self.init(unchecked: RuleFieldReader(fields: row.fields))
    }

    private init(unchecked row: RuleFieldReader) {
        lending = LendingTerms(row)
        period = PeriodTerms(row)
        renewal = RenewalTerms(row)
        fine = FineTerms(row)
        suspension = SuspensionTerms(row)
        hold = HoldTerms(row)
        rental = RentalTerms(row)
        sameTitle = SameTitleTerms(row)
        lost = LostTerms(row)
    }
}
