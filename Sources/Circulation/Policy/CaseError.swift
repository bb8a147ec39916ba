/// What is wrong with a case in JSON, and in which field.
package struct CaseError: Error, Hashable, Sendable {
    /// The path of the field, such as `patron.loans[2].due_at`; empty for the case itself.
    package var field: String
    /// What was expected and what came.
    package var fault: String

    package init(field: String, fault: String) {
        self.field = field
        self.fault = fault
    }

    /// `patron.loans[2].due_at: expected an instant such as 2026-12-24T18:00:00Z, found 17`
    package var message: String { field.isEmpty ? fault : "\(field): \(fault)" }
}

extension CaseError: CustomStringConvertible {
    package var description: String { message }
}
