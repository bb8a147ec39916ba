package import TextFormats

/// A fact while it is put to the desk.
final class FactReading {
    let fact: Fact
    let given: FieldReading
    let when: FieldReading
    let expect: FieldReading
    let operation: Operation
    let system: ForeignSystem
    private(set) var answers: [FactAnswer] = []
    /// What the fact was made into, for those who want to see it.
    private(set) var plans: [FactPlan] = []

    init(_ fact: Fact) {
        self.fact = fact
        given = FieldReading(fact.given, path: "given")
        when = FieldReading(fact.when, path: "when")
        expect = FieldReading(fact.expect, path: "expect")
        operation = Operation(fact.operation)
        system = ForeignSystem(source: fact.source)
    }

    /// A new plan of what the fact comes to.
    func plan() -> FactPlan {
        let plan = FactPlan(self)
        plans.append(plan)
        return plan
    }

    /// Notes what was found for an expected field, in the words of the expectation.
    func answer(_ key: String, found: JSON) {
        guard expect.has(key) else { return }
        answers.append(FactAnswer(field: key, expected: expect.object[key] ?? .null, found: found))
        expect.ignore(key)
    }

    /// The answers, if all was read and all that is expected was looked for.
    func complete() throws -> [FactAnswer] {
        let unread = given.unread + when.unread
        guard unread.isEmpty else {
            throw NotExpressed("\(unread.joined(separator: ", ")): not known, and may change the answer")
        }
        let unanswered = expect.unread
        guard unanswered.isEmpty, !answers.isEmpty else {
            throw NotExpressed("\(unanswered.joined(separator: ", ")): nothing at the desk answers it")
        }
        return answers
    }
}

/// What was expected under a name, and what the desk came to.
package struct FactAnswer: Hashable, Sendable {
    package var field: String
    package var expected: JSON
    package var found: JSON

    package var holds: Bool { expected == found }
}
