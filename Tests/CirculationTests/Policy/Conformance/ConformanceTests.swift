import Circulation
import TestSupport
import Testing
import TextFormats

/// What other library systems do, as far as policy tables can be made to do it: each fact under tables that its own
/// fields describe. No adapter knows a fact by its name.
@Suite(
    "Facts of other systems under policy tables",
    .enabled(if: !SharedData.isMissing, "the shared test data is not there"))
struct ConformanceTests {
    static func answer(_ fact: Fact) throws -> FactAnswer {
        switch fact.area {
        case "limits": try LimitFacts.answer(fact)
        case "due-date": try DueDateFacts.answer(fact)
        case "renewals": try RenewalFacts.answer(fact)
        case "fines": try FineFacts.answer(fact)
        case "notices": try NoticeRowFacts.answer(fact)
        default: .outside("another area")
        }
    }

    @Test("the tables answer as the other system does", arguments: Fact.all)
    func answers(_ fact: Fact) throws {
        guard case .compared(let answers) = try Self.answer(fact) else { return }
        #expect(!answers.isEmpty)
        for answer in answers { #expect(answer.found == answer.expected, "\(answer.name)") }
    }

    @Test("most facts are covered; the table says which kinds are not, and why")
    func coverage() throws {
        var lines: [String] = []
        var total = 0
        for area in Fact.areas {
            let facts = Fact.all.filter { $0.area == area }
            var reasons: [String: [String]] = [:]
            for fact in facts {
                if case .outside(let reason) = try Self.answer(fact) { reasons[reason, default: []].append(fact.id) }
            }
            let covered = facts.count - reasons.values.joined().count
            total += covered
            lines.append("\(area): \(covered) of \(facts.count)")
            for (reason, ids) in reasons.sorted(by: { $0.key < $1.key }) {
                lines.append("    not \(ids.joined(separator: " ")): \(reason)")
            }
        }
        print(lines.joined(separator: "\n"))
        #expect(total >= 120)
    }
}
