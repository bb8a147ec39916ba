import ForeignFacts
import Testing
import TextFormats

/// Facts made up for these tests, of the same words and shapes as those of other systems.
@Suite("Facts of the same shape")
struct OwnFactTests {
    private static func fact(_ given: String, _ when: String, _ expect: String, from source: String = "Koha") throws
        -> Fact
    {
        let line =
            #"{"id": "own", "source": "\#(source)", "area": "own", "given": \#(given), "when": \#(when), "expect": \#(expect)}"#
        return try #require(try Fact.reading(Array(line.utf8)).first)
    }

    struct Sample: Sendable, CustomTestStringConvertible {
        var given: String
        var when: String
        var expect: String
        var source = "Koha-Community/Koha"
        var testDescription: String { "\(given) \(when)" }
    }

    static let holding: [Sample] = [
        Sample(
            given: #"{"loan_days": 11, "start": "2013-02-09"}"#, when: #"{"op": "checkout"}"#,
            expect: #"{"due": "2013-02-20T23:59:00"}"#),
        Sample(
            given: #"{"loan_days": 11, "start": "2013-02-09", "days_mode": "Datedue", "closed_dates": ["2013-02-20"]}"#,
            when: #"{"op": "checkout"}"#, expect: #"{"due_date": "2013-02-21"}"#),
        Sample(
            given: #"{"loan_days": 11, "start": "2013-02-09", "days_mode": "Calendar", "weekly_closed": ["Sun"]}"#,
            when: #"{"op": "checkout"}"#, expect: #"{"due_date": "2013-02-22"}"#),
        Sample(
            given: #"{"tz": "America/Chicago", "duration": "90 minutes", "start": "2026-01-01T07:15:00-06:00"}"#,
            when: #"{"op": "checkout"}"#, expect: #"{"due": "2026-01-01T08:45:00-06:00"}"#, source: "evergreen"),
        Sample(
            given: #"{"profile": "rolling", "period": "2 weeks", "loan_at": "2018-03-14T11:14:54Z"}"#,
            when: #"{"op": "checkout"}"#, expect: #"{"due": "2018-03-28T11:14:54Z"}"#, source: "folio-org"),
        Sample(
            given:
                #"{"max_loans": 3, "max_onsite": 2, "current": {"normal": 1, "onsite": 2}, "onsite_counts_as_normal": true}"#,
            when: #"{"op": "checkout"}"#,
            expect: #"{"allowed": false, "reason": "TOO_MANY_CHECKOUTS", "count": 3, "max_allowed": 3}"#),
        Sample(
            given: #"{"max_loans": 1, "current": 1, "restriction_until": "2026-05-30"}"#, when: #"{"op": "checkout"}"#,
            expect: #"{"allowed": false, "reason": "USERBLOCKEDWITHENDDATE", "until": "2026-05-30"}"#),
        Sample(
            given: #"{"renewals_allowed": 4, "renewals_used": 3}"#, when: #"{"op": "renew twice"}"#,
            expect: #"{"allowed": false, "reason": "too_many"}"#),
        Sample(
            given:
                #"{"fine_per_interval": "0.30", "interval": "2 days", "due": "2026-01-01", "returned": "2026-01-08", "rounding": "a started interval counts whole"}"#,
            when: #"{"op": "fine"}"#, expect: #"{"fine": "1.20"}"#),
        Sample(
            given: #"{"days_late": 6, "suspension_days_per_interval": 3, "interval_days": 2, "grace_days": 1}"#,
            when: #"{"op": "return"}"#, expect: #"{"suspension_days": 7}"#),
        Sample(
            given: #"{"overdue_fine": "10.00", "lost_charge": "7.00", "paid": "5.00"}"#,
            when: #"{"op": "return of a lost and overdue item, restore policy"}"#, expect: #"{"owed": "5.00"}"#),
        Sample(
            given: #"{"overdue_fine": "10.00", "lost_charge": "7.00", "lost_return_policy": "restore"}"#,
            when: #"{"op": "return of a lost and overdue item"}"#, expect: #"{"owed": "10.00"}"#),
        Sample(
            given:
                #"{"lost_charge": "7.00", "lost_return_policy": "refund_unpaid", "paid": "5.00", "lost_for_days": 3}"#,
            when: #"{"op": "return of a lost item"}"#, expect: #"{"owed": "0.00"}"#),
        Sample(
            given: #"{"queue": ["A", "B", "C", "D"], "moved": "third in queue"}"#, when: #"{"op": "move up"}"#,
            expect: #"{"priority": 2}"#),
        Sample(
            given: #"{"queue": ["A", "B", "C", "D"]}"#, when: #"{"op": "cancel B, then cancel A"}"#,
            expect: #"{"priority_of_D": 2}"#),
        Sample(
            given: #"{"shelf_expiry": "3 hours", "put_on_shelf": "2026-05-01T12:00:00Z"}"#,
            when: #"{"op": "put on hold shelf"}"#, expect: #"{"expires": "2026-05-01T15:00:00Z"}"#),
        Sample(
            given: #"{"loans_due_in_days": [-1, 2, 4], "look_ahead_days": 4}"#, when: #"{"op": "upcoming_due"}"#,
            expect: #"{"loans": 2}"#),
        Sample(
            given:
                #"{"calendar": {"weekly_closed": ["Sat", "Sun"], "exceptions": [{"open": false, "from": "2026-05-04", "to": "2026-05-05"}]}}"#,
            when: #"{"op": "add_open_days", "from": "2026-05-01", "days": 2}"#, expect: #"{"date": "2026-05-07"}"#),
    ]

    @Test("a fact with other values holds where the desk computes what it expects", arguments: holding)
    func holds(_ sample: Sample) throws {
        let result = FactResult(trying: try Self.fact(sample.given, sample.when, sample.expect, from: sample.source))
        #expect(result.outcome == .holds, "\(result.details)")
    }

    @Test("the same fact differs where it expects something else", arguments: holding)
    func differs(_ sample: Sample) throws {
        let fact = try Self.fact(sample.given, sample.when, sample.expect, from: sample.source)
        let result = FactResult(trying: Perturbation.of(fact))
        #expect(result.outcome != .holds)
        #expect(result.answers.allSatisfy { !$0.holds })
    }

    @Test(
        "what is given changes what is found",
        arguments: [
            (#"{"loan_days": 7, "start": "2013-02-09"}"#, #"{"loan_days": 8, "start": "2013-02-09"}"#),
            (#"{"loan_days": 7, "start": "2013-02-09"}"#, #"{"loan_days": 7, "start": "2013-02-10"}"#),
            (
                #"{"loan_days": 7, "start": "2013-02-09"}"#,
                #"{"loan_days": 7, "start": "2013-02-09", "days_mode": "Datedue", "closed_dates": ["2013-02-16"]}"#
            ),
        ])
    func given(one: String, other: String) throws {
        let results = try [one, other].map {
            FactResult(trying: try Self.fact($0, #"{"op": "checkout"}"#, #"{"due_date": "2013-02-16"}"#))
        }
        #expect(results.map(\.outcome) == [.holds, .differs])
    }

    @Test(
        "what is not known is not said to hold",
        arguments: [
            (
                #"{"loan_days": 7, "start": "2013-02-09", "phase_of_moon": "full"}"#, #"{"op": "checkout"}"#,
                "phase_of_moon"
            ),
            (#"{"loan_days": 7, "start": "2013-02-09"}"#, #"{"op": "checkout", "by": "drone"}"#, "when.by"),
            (#"{"loan_days": 7, "start": "2013-02-09"}"#, #"{"op": "lend by drone"}"#, "lend by drone"),
            (#"{"loan_days": 7, "start": "some day"}"#, #"{"op": "checkout"}"#, "some day"),
            (#"{"loan_days": 7, "start": "2013-02-09", "days_mode": "Moonday"}"#, #"{"op": "checkout"}"#, "Moonday"),
        ])
    func unknown(given: String, when: String, named: String) throws {
        let result = FactResult(trying: try Self.fact(given, when, #"{"due_date": "2013-02-16"}"#))
        #expect(result.outcome == .notExpressed)
        #expect(result.explanation?.contains(named) == true, "\(result.explanation ?? "")")
    }

    @Test("an expectation that nothing answers is not said to hold")
    func unanswered() throws {
        let fact = try Self.fact(
            #"{"loan_days": 7, "start": "2013-02-09"}"#, #"{"op": "checkout"}"#,
            #"{"due_date": "2013-02-16", "receipt_printed": true}"#)
        let result = FactResult(trying: fact)
        #expect(result.outcome == .notExpressed && result.explanation?.contains("receipt_printed") == true)
    }

    @Test("fields that only explain change nothing")
    func explanations() throws {
        let fact = try Self.fact(
            #"{"loan_days": 7, "start": "2013-02-09", "note": "x", "mode_meaning": "y", "comment": "z"}"#,
            #"{"op": "checkout"}"#, #"{"due_date": "2013-02-16"}"#)
        #expect(FactResult(trying: fact).outcome == .holds)
    }

    @Test("a report counts by area, shows the policy and the operations, and is JSON as well")
    func report() throws {
        let fact = try Self.fact(
            #"{"loan_days": 7, "start": "2013-02-09"}"#, #"{"op": "checkout"}"#, #"{"due_date": "2013-02-17"}"#)
        let report = ConformanceReport(trying: [fact])
        #expect(report.areas.first?.counts == [.differs: 1] && report.share == 0)
        #expect(report.text.contains("expected \"2013-02-17\", found \"2013-02-16\""))
        #expect(report.json["areas"]?.arrayValue?.first?["differs"] == 1)
        let details = try #require(report.results.first).details
        #expect(details.contains("loan = days(7)") && details.contains("reader asks for copy"))
    }
}
