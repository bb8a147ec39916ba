import Circulation
import Desk
import Interchange
import TestSupport
import Testing
import TextFormats

@Suite("A library as a whole in a file")
struct WholeLibraryTests {
    /// The lines in which there is no calendar, which an export writes out.
    private func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { !$0.hasPrefix(#"{"branch""#) }
    }

    @Test("every record comes out as it went in, to the letter")
    func fixedPoint() throws {
        let bench = try ImportBench()
        let report = try bench.importing(bench.file("library.jsonl", RandomLibrary.text))
        #expect(report.problems == [])
        #expect(report.added + report.updated == report.read)
        for (line, expected) in zip(lines(try bench.export()), lines(RandomLibrary.text)) { #expect(line == expected) }
        #expect(lines(try bench.export()).count == lines(RandomLibrary.text).count)
        #expect(try bench.desk.examine().broken == [])
    }

    @Test("importing it again adds nothing, neither where it came from nor where it went")
    func again() throws {
        let bench = try ImportBench()
        try bench.importing(bench.file("library.jsonl", RandomLibrary.text))
        let text = try bench.export()
        for _ in 0..<2 {
            let report = try bench.importing(bench.file("library.jsonl", RandomLibrary.text))
            #expect(report.added == 0 && report.updated == 0 && report.rejected == 0, "\(report.problems)")
        }
        #expect(try bench.export() == text)
    }

    @Test("in a library that has records of its own, ids move and references with them")
    func merged() throws {
        let bench = try ImportBench()
        try bench.desk.write { session in
            for number in 0..<12 {
                let title = Title(id: 0, title: number == 3 ? "Twin" : "Own \(number)")
                _ = try #require(try session.catalogue.add(title).value)
                _ = try #require(
                    try session.patrons.add(Patron(username: "own\(number)", category: "patron", homeBranch: "main"))
                        .value)
                _ = try session.imports.loan(
                    Loan(lentAt: Instant(seconds: Int64(number)), importKey: "own:\(number)"))
                _ = try session.imports.notice(
                    Notice(
                        id: Int64(40 + number), kind: "message", subjectKey: "own:\(number)", patron: 1,
                        stage: "message",
                        channel: "inbox", subject: "", body: "", createdAt: session.now))
            }
        }
        let report = try bench.importing(bench.file("library.jsonl", RandomLibrary.text))
        #expect(report.rejected == 0, "\(report.problems)")
        let again = try bench.importing(bench.path("library.jsonl"))
        #expect(again.added == 0 && again.rejected == 0, "\(again.problems)")
        #expect(try bench.desk.examine().broken == [])
        try bench.desk.read { session in
            let ada = try #require(try session.patrons.get(.username("ada")))
            let loan = try #require(try session.loans.active(of: .id(ada.id)).first)
            #expect(ada.id > 12 && loan.id > 12)
            let ledger = try session.fees.ledger(of: .id(ada.id))
            #expect(ledger.map(\.loan) == [loan.id, nil])
            #expect(ledger.map(\.key) == ["fine:loan:\(loan.id)", "payment:\(ada.id)#\(ledger[0].id)"])
            let notices = try session.notices.list(NoticeQuery(patron: ada.id))
            let notice = try #require(notices.first { $0.stage == "first" })
            #expect(notice.subjectKey == "loan:\(loan.id)" && notice.loan == loan.id)
            let carrier = try #require(notices.first { $0.kind == "digest" })
            #expect(carrier.subjectKey == "patron:\(ada.id):email")
            #expect(notices.first { $0.kind == "overdue" && $0.stage == "second" }?.carriedBy == carrier.id)
        }
    }

    @Test("the dates of renewals come along, and count where they counted")
    func renewals() throws {
        let bench = try ImportBench()
        try bench.importing(bench.file("library.jsonl", RandomLibrary.text))
        func months(_ bench: ImportBench) throws -> [String] {
            try bench.desk.read { session in
                try session.statistics.loans(by: .month, measure: .renewals).map { "\($0.key) \($0.count)" }
            }
        }
        // Loan 14 says that it was renewed, and nobody knows when.
        #expect(try months(bench) == ["2020-01 2", "2020-02 1", "2026-01 3"])
        let other = try ImportBench()
        try other.importing(other.file("again.jsonl", bench.export()))
        #expect(try months(other) == months(bench))
    }

    @Test(
        "more dates of renewals than renewals, one before the loan and one that is none are refused",
        arguments: [
            #""renewals":1,"renewed":["2026-01-06T10:00:00Z","2026-01-07T10:00:00Z"]"#,
            #""renewed":["2026-01-04T10:00:00Z"]"#, #""renewed":["yesterday"]"#, #""renewed":"2026-01-06T10:00:00Z""#,
        ])
    func wrongRenewals(members: String) throws {
        let bench = try ImportBench()
        let loan = #"{"loan":{"key":"x","lent_at":"2026-01-05T10:00:00Z",\#(members)}}"#
        let report = try bench.importing(bench.file("loans.jsonl", RandomLibrary.head + "\n" + loan + "\n"))
        #expect(report.rejected == 1 && report.added == 0, "\(report.problems)")
    }

    @Test(
        "whatever a desk does, what it exports is imported and exported again byte for byte",
        arguments: [1, 2, 3, 4] as [UInt64])
    func random(seed: UInt64) throws {
        let bench = try ImportBench()
        var random = SplitMix(seed: seed)
        for step in 0..<150 { try RandomLibrary.perform(step, bench.desk, &random) }
        let text = try bench.export()
        for kind in ["title", "patron", "loan", "ledger_entry", "notice", "in_house_use"] {
            #expect(text.contains("\n{\"\(kind)\""), "nothing of the kind \(kind) was made")
        }
        let other = try ImportBench()
        let report = try other.importing(other.file("export.jsonl", text))
        #expect(report.rejected == 0, "\(report.problems)")
        let second = try other.export()
        #expect(second == text, "seed \(seed): \(difference(text, second))")
        #expect(try other.desk.examine().broken == [])
        #expect(try other.importing(other.path("export.jsonl")).added == 0)
        // The desk that it came from knows it too.
        #expect(try bench.importing(bench.file("own.jsonl", text)).added == 0)
        #expect(try bench.export() == text)
    }

    private func difference(_ left: String, _ right: String) -> String {
        let pairs = zip(left.split(separator: "\n"), right.split(separator: "\n"))
        return pairs.first { $0 != $1 }.map { "\($0)\n\($1)" } ?? "one has more lines"
    }
}
