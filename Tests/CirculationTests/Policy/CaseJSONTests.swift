import Circulation
import Testing
import TextFormats

@Suite("Cases in JSON")
struct CaseJSONTests {
    private func read(_ text: String) throws -> Case { try Case(json: JSONParser.parse(text)) }

    @Test("a short case has sensible defaults")
    func short() throws {
        let question = try read(
            #"{"now": "2026-05-20T12:00", "patron": {"category": "staff"}, "copy": {"item_type": "dvd"}}"#)
        #expect(question.point == .checkout)
        #expect(question.now.description == "2026-05-20T12:00:00Z")
        #expect(question.patron.category == "staff")
        #expect(question.patron.feesOwed == .zero(.eur))
        #expect(question.copy == CopyFacts(branch: "main", itemTypes: ["dvd"], status: .available))
        #expect(question.title == TitleFacts(id: 1, copies: 1, available: 1))
        #expect(question.request == RequestFacts(size: 1, titles: [1], index: 1))
        #expect(question.actor == .deskStaff)
        #expect(question.calendar == .alwaysOpen)
        #expect(question.loan == nil)
    }

    @Test(
        "null leaves out what has a default, and so does false, since a table in Lua holds no nil",
        arguments: ["null", "false"])
    func nulls(word: String) throws {
        let parts = ["title", "copy", "loan", "request", "listing"].map { "\"\($0)\": \(word)" }
        let question = try read("{\"point\": \"checkout\", \(parts.joined(separator: ", "))}")
        #expect(question.title == nil)
        #expect(question.copy == nil)
        #expect(question.request == nil)
        #expect(try read("{\"point\": \"fine\", \"loan\": \(word)}").loan == nil)
    }

    @Test("an empty case is a checkout, in Lua's empty table too", arguments: ["{}", "[]"])
    func empty(text: String) throws {
        let question = try read(text)
        #expect(question.point == .checkout)
        #expect(question.now.description == "2026-01-15T12:00:00Z")
        #expect(question.patron == PatronFacts(id: 1, category: "patron", homeBranch: "main", feesOwed: .zero(.eur)))
        #expect(question.copy == CopyFacts(branch: "main", itemTypes: ["book"], status: .available))
    }

    @Test("each point has the parts that its questions have", arguments: DecisionPoint.allCases)
    func parts(point: DecisionPoint) throws {
        let question = try read("{\"point\": \"\(point.rawValue)\"}")
        let lends = point == .checkout || point == .due
        #expect((question.loan != nil) == point.isAboutLoan)
        let hasTitle = lends || point.isAboutLoan || point == .hold || point == .notify
        #expect((question.copy != nil) == hasTitle)
        #expect((question.title != nil) == (hasTitle || point == .publish))
        #expect((question.listing != nil) == (point == .publish))
        #expect((question.lines != nil) == (point == .price))
        #expect(question.suggestion == nil)
        #expect((question.hold != nil) == [.hold, .recall, .notify].contains(point))
        #expect(question.event == (point == .notify ? .holdReady : nil))
        #expect((question.request != nil) == (lends || point == .request))
        #expect(!question.isPastDue)
    }

    @Test("short forms: loans by their number, loans by how late they are, a date for its noon")
    func shortForms() throws {
        let question = try read(
            #"{"patron": {"loans": 5}, "request": {"granted": 2}, "point": "request", "now": "2026-05-20"}"#)
        #expect(question.patron.loans.count == 5)
        #expect(Set(question.patron.loans.map(\.title)).count == 5)
        #expect(question.request?.granted.map(\.itemTypes) == [["book"], ["book"]])
        #expect(question.now.description == "2026-05-20T12:00:00Z")
        let late = try read(#"{"point": "fine", "loan": {"days_overdue": 3}}"#)
        #expect(late.daysOverdue == 3)
        #expect(late.loan?.dueAt.description == "2026-01-12T23:59:59Z")
        #expect(try read(#"{"point": "fine", "loan": {"hours_overdue": 5}}"#).hoursOverdue == 5)
        #expect(try read(#"{"point": "overdue", "loan": {"days_overdue": -2}}"#).daysOverdue == 0)
    }

    @Test(
        "an item type is given with its ancestors in one list or in two fields",
        arguments: [
            #"{"item_type": ["dvd", "media"]}"#, #"{"item_type": "dvd", "item_types": ["dvd", "media"]}"#,
            #"{"item_type": "dvd", "item_types": ["media"]}"#, #"{"item_types": ["dvd", "media"]}"#,
            #"{"item_type": ["dvd"], "item_types": ["media"]}"#,
        ])
    func itemTypes(copy: String) throws {
        #expect(try read("{\"copy\": \(copy)}").copy?.itemTypes == ["dvd", "media"])
    }

    @Test("what stands in the log reads back, all but the calendar")
    func log() throws {
        var question = try Sample.checkout()
        question.title = nil
        question.copy = nil
        question.request = RequestFacts(size: 1, titles: [])
        var writer = JSONWriter()
        question.write(to: &writer, withCalendar: false)
        question.calendar = .alwaysOpen
        #expect(try read(writer.text) == question)
        #expect(JSON { question.write(to: &$0) } == question.json)
    }

    @Test("local times are read in the case's zone")
    func zone() throws {
        let question = try read(
            #"{"now": "2026-05-20T12:00", "time_zone": "Europe/Berlin", "point": "fine", "loan": {"due_at": "2026-05-19T17:00"}}"#
        )
        #expect(question.now.description == "2026-05-20T10:00:00Z")
        #expect(question.loan?.dueAt.description == "2026-05-19T15:00:00Z")
        #expect(question.loan?.lentAt.description == "2026-05-05T21:59:59Z")
        #expect(question.daysOverdue == 1)
    }

    @Test("a full case is written and read back as it was")
    func roundTrip() throws {
        var question = try Sample.overdue(due: "2026-05-18T17:00", now: "2026-05-20T12:00", point: .renew)
        question.currency = try Currency(named: "JPY")
        question.patron = PatronFacts(
            id: 7, category: "child", homeBranch: "north", language: "de", age: 9,
            expiresOn: try Sample.date("2027-01-31"), feesOwed: Money(minorUnits: 250, currency: question.currency),
            overdue: 1, lost: 2,
            blocks: [BlockFacts(kind: "manual", ends: try Sample.date("2026-06-01"), actions: [.renew])],
            suspendedUntil: try Sample.date("2026-05-30"),
            loans: [
                OpenLoanFacts(
                    title: 3, itemTypes: ["dvd", "media"], branch: "main", copyBranch: "north", onSite: true,
                    channel: .web, dueAt: question.now), Sample.loan("book"),
            ], holds: 3, extra: ["note": "x", "list": [1, 2.5]])
        question.title = TitleFacts(
            id: 3, genres: ["a"], courses: ["B"], copies: 2, available: 1, holdsWaiting: 4, extra: ["k": nil])
        question.copy = CopyFacts(
            branch: "north", itemTypes: ["dvd", "media"], status: .onHoldShelf,
            replacementPrice: Money(minorUnits: 3000, currency: question.currency), heldForOther: true)
        question.loan?.recalledAt = question.now
        question.loan?.notices = [NoticeFacts(stage: "first", repetition: 1, at: question.now)]
        question.request = RequestFacts(
            size: 2, titles: [3, 0], index: 2, granted: [Sample.loan("book")], onSite: true,
            wantedUntil: try Sample.date("2026-06-01"))
        question.actor = ActorFacts(role: .patron, channel: .`self`)
        #expect(try Case(json: JSONParser.parse(question.json.text(pretty: true))) == question)
        let plain = try Sample.checkout()
        #expect(try Case(json: plain.json) == plain)
    }

    @Test("a case about a listing, a suggestion or lines is written and read back as it was")
    func marketRoundTrip() throws {
        var question = try Sample.checkout()
        question.point = .publish
        question.title = nil
        question.copy = nil
        question.listing = ListingFacts(
            id: 4, seller: 9, sellerCategory: "staff", kind: .rent, price: try Sample.money("2.50"),
            period: .weeks(1), quantity: 3, condition: "as new", edition: "2nd", hasPicture: true, state: .draft,
            others: 7)
        question.suggestion = SuggestionFacts(id: 5, hasISBN: true, courses: ["A"], college: "C", others: 1)
        #expect(try Case(json: JSONParser.parse(question.json.text())) == question)
        question.point = .price
        question.lines = [
            SaleLine(
                kind: .rent, label: "Optics", title: 1, listing: 2, seller: 3, sellerCategory: "staff", quantity: 2,
                price: try Sample.money("1.00"), periods: 3, ends: try Sample.date("2026-07-31")),
            SaleLine(kind: .buy, label: "Odyssey", price: try Sample.money("0.00")),
        ]
        #expect(try Case(json: JSONParser.parse(question.json.text())) == question)
    }

    @Test(
        "what is told of has the part that it is about",
        arguments: [
            ("hold_ready", "hold"), ("recalled", "loan"), ("renewed", "loan"), ("due_moved", "loan"),
            ("returned", "loan"),
            ("order", "lines"), ("sold", "listing"), ("rental_due", "listing"), ("listing", "listing"),
            ("suggestion", "suggestion"),
        ])
    func events(event: String, part: String) throws {
        let question = try read(#"{"point": "notify", "event": "\#(event)"}"#)
        #expect((question.hold != nil) == (part == "hold"))
        #expect((question.loan != nil) == (part == "loan"))
        #expect((question.copy != nil) == (part == "loan" || part == "hold"))
        #expect((question.lines != nil) == (part == "lines"))
        #expect((question.listing != nil) == (part == "listing"))
        #expect((question.suggestion != nil) == (part == "suggestion"))
    }

    @Test(
        "an error names the field and what was expected",
        arguments: [
            (#"[1]"#, "expected an object, found a list"),
            (#"{"now":17}"#, "now: expected an instant such as 2026-12-24T18:00:00Z, found 17"),
            (#"{"now":"2026-05-20","partron":{}}"#, #"partron: there is no such field; did you mean "patron"?"#),
            (
                #"{"now":"2026-05-20","patron":{"catgeory":"staff"}}"#,
                #"patron.catgeory: there is no such field; did you mean "category"?"#
            ),
            (
                #"{"now":"2026-05-20","patron":{"loans":[{},{"due":"2026-05-20"}]}}"#,
                #"patron.loans[2].due: there is no such field (there are title, item_type, item_types, branch, branches, copy_branch, copy_branches, location, on_site, channel, due_at, claimed)"#
            ),
            (#"{"now":"2026-05-20","point":"checkuot"}"#, nil),
            (
                #"{"loan":{"open_days_overdue":3}}"#,
                "loan.open_days_overdue: it does not tell when the loan is due; use days_overdue"
            ),
            (
                #"{"loan":{"days_overdue":9223372036854775807}}"#,
                "loan.days_overdue: expected a number of days within the calendar, found 9223372036854775807"
            ),
            (
                #"{"loan":{"hours_overdue":-9223372036854775808}}"#,
                "loan.hours_overdue: expected a number of hours within the calendar, found -9223372036854775808"
            ),
            (#"{"loan":{"notices":[{}]}}"#, "loan.notices[1].stage: the notice does not say its stage"),
            (#"{"patron":{"loans":-1}}"#, "patron.loans: expected 0 to 10000 loans, found -1"),
            (
                #"{"now":"2026-05-20","patron":{"fees_owed":5}}"#,
                #"patron.fees_owed: expected an amount such as "5.00", found 5"#
            ),
            (
                #"{"now":"2026-05-20","patron":{"fees_owed":"5.00 USD"}}"#,
                "patron.fees_owed: the amount is in USD, the case in EUR"
            ),
            (
                #"{"now":"2026-05-20","patron":{"overdue":-1}}"#,
                "patron.overdue: expected a whole number from 0 on, found -1"
            ),
            (#"{"now":"2026-05-20","copy":{"item_type":[1]}}"#, nil),
            (#"{"now":"2026-05-20","time_zone":"Mars"}"#, nil),
            (#"{"now":"2026-05-20","calendar":{"weekdays":{}}}"#, nil), (#"{"now":"2026-13-20"}"#, nil),
            (
                #"{"point":"price","lines":[{"price":"1.00","amount":"2.00"}]}"#,
                "lines[1].amount: it is not price times quantity times periods"
            ),
            (#"{"point":"publish","listing":{"price":"-1.00"}}"#, "listing.price: a price is not negative"),
            (#"{"point":"publish","listing":{"kind":"sel"}}"#, nil),
            (#"{"point":"publish","listing":{"period":"P0D"}}"#, nil),
            (#"{"now":"2026-05-20","currency":"EURO"}"#, nil),
            (#"{"now":"2026-05-20","patron":{"extra":[1]}}"#, "patron.extra: expected an object, found a list"),
        ])
    func errors(_ text: String, message: String?) throws {
        let json = try JSONParser.parse(text)
        let error = #expect(throws: CaseError.self) { try Case(json: json) }
        if let message { #expect(error?.description == message) }
    }

    @Test("a misspelt word of a list of words is answered with the nearest")
    func nearestWord() throws {
        let json = try JSONParser.parse(#"{"now":"2026-05-20","copy":{"status":"on_laon"}}"#)
        let error = #expect(throws: CaseError.self) { try Case(json: json) }
        #expect(error?.field == "copy.status")
        #expect(error?.message.hasSuffix(#"found "on_laon"; did you mean "on_loan"?"#) == true)
    }
}
