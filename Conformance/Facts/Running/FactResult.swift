import TextFormats

/// What became of a fact that was put to the desk.
package struct FactResult: Sendable {
    package enum Outcome: String, Hashable, Sendable, CaseIterable {
        case holds
        case differs
        case notExpressed = "not_expressed"
    }

    package var fact: Fact
    package var outcome: Outcome
    /// Why it cannot be put to the desk, where it cannot.
    package var reason: String?
    /// What was looked for and found; empty where nothing could be.
    package var answers: [FactAnswer]
    /// The policies that were made from it.
    package var policies: [String]
    /// What was done in the library, line by line.
    package var journal: [String]
    /// Whether the fact was written in the neutral schema, not translated into it.
    package var isNeutral = false
    /// A fact in other words, put into the neutral schema; nil where the table does not translate it.
    package var translation: SchemaFact?
    /// Why the table does not translate it; nil if it does, or need not.
    package var untranslated: String?

    /// Why it does not hold, in a sentence; nil if it holds.
    package var explanation: String? {
        switch outcome {
        case .holds: nil
        case .notExpressed: reason
        case .differs:
            answers.filter { !$0.holds }.map { answer in
                "\(answer.field): expected \(answer.expected.text()), found \(answer.found.text())"
            }.joined(separator: "; ")
        }
    }
}

extension FactResult {
    /// Makes policy, library and operations of a fact and compares what comes of them with what it expects.
    package init(trying fact: Fact) {
        if let neutral = fact.neutral {
            self.init(trying: fact, neutral)
            isNeutral = true
            return
        }
        do {
            let neutral = try Translation.neutral(of: fact)
            self.init(trying: fact, neutral)
            translation = neutral
        } catch {
            let reason = (error as? NotExpressed)?.reason ?? "\(error)"
            self.init(
                fact: fact, outcome: .notExpressed, reason: reason, answers: [], policies: [], journal: [],
                untranslated: reason)
        }
    }

    /// A fact in the neutral schema: its steps are done in its library.
    private init(trying fact: Fact, _ neutral: SchemaFact) {
        var scenario: Scenario?
        var answers: [FactAnswer] = []
        var reason: String?
        do {
            let made = try Scenario(neutral)
            scenario = made
            answers = try made.run()
        } catch let problem as NotExpressed {
            reason = problem.reason
        } catch {
            reason = "\(error)"
        }
        let outcome: Outcome = reason != nil ? .notExpressed : answers.allSatisfy(\.holds) ? .holds : .differs
        self.init(
            fact: fact, outcome: outcome, reason: reason, answers: answers,
            policies: [FactPolicy(SchemaValues(neutral.given)).text.text], journal: scenario?.library.journal ?? [])
    }
}
