/// Which part of the runner knows what a fact does. Chosen by the words of its operation, never by its name.
enum Adapters {
    static func answer(_ reading: FactReading) throws {
        let operation = reading.operation
        for adapter in all where adapter.knows(operation) { return try adapter.answer(reading) }
        throw NotExpressed("nothing at the desk does \"\(operation.original)\"")
    }

    private struct Adapter {
        var knows: @Sendable (Operation) -> Bool
        var answer: @Sendable (FactReading) throws -> Void
    }

    private static let all: [Adapter] = [
        Adapter(knows: CalendarFacts.knows, answer: CalendarFacts.answer),
        Adapter(knows: MatchingFacts.knows, answer: MatchingFacts.answer),
        Adapter(knows: SimultaneousFacts.knows, answer: SimultaneousFacts.answer),
        Adapter(knows: NoticeFacts.knows, answer: NoticeFacts.answer),
        Adapter(knows: ReminderFacts.knows, answer: ReminderFacts.answer),
        Adapter(knows: QueueFacts.knows, answer: QueueFacts.answer),
        Adapter(knows: HoldFactAdapter.knows, answer: HoldFactAdapter.answer),
        Adapter(knows: RecallFacts.knows, answer: RecallFacts.answer),
        Adapter(knows: BlockFactAdapter.knows, answer: BlockFactAdapter.answer),
        Adapter(knows: LatenessFacts.knows, answer: LatenessFacts.answer),
        Adapter(knows: LostFacts.knows, answer: LostFacts.answer),
        Adapter(knows: ReturnFacts.knows, answer: ReturnFacts.answer),
        Adapter(knows: RentalFacts.knows, answer: RentalFacts.answer),
        Adapter(knows: RenewalFacts.knows, answer: RenewalFacts.answer),
        Adapter(knows: CheckoutFacts.knows, answer: CheckoutFacts.answer),
    ]
}
