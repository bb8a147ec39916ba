import Circulation
import Desk
import TextFormats

/// Facts about copies that are lost, and come back.
enum LostFacts {
    static let knows: @Sendable (Operation) -> Bool = { operation in
        operation.names("charging job") || (operation.begins("return") && operation.names("lost"))
    }

    static let answer: @Sendable (FactReading) throws -> Void = { _ in
        throw NotExpressed("copies are not declared lost yet")
    }
}

extension FactPlan {
    /// Copies that the reader has lost.
    func loseBefore(_ count: Int) throws {
        if count > 0 { throw NotExpressed("copies are not declared lost yet") }
    }
}
