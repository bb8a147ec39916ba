import Circulation
import Testing
import TextFormats

@Suite("What a case consists of")
struct CaseDeclarationTests {
    /// Every field, none as it is by default, in the order and form in which cases are kept.
    private static let full = """
        {"point":"renew","now":"2026-03-10T11:00:00Z","time_zone":"Europe/Stockholm","branch":["north","city"],\
        "currency":"SEK","actor":{"role":"patron","channel":"web"},"patron":{"id":7,"category":["phd","staff"],\
        "home_branch":["south","city"],"language":"sv","age":31,"expires_on":"2026-12-31",\
        "birth_date":"1994-05-20","fees_owed":"12.50 SEK",\
        "overdue":1,"lost":2,"claims":3,"blocks":[{"kind":"manual","ends":"2026-04-01","actions":["borrow","self"]},\
        {"kind":"other","actions":[]}],"suspended_until":"2026-03-20","loans":[{"title":4,"item_type":["dvd","film"],\
        "branch":"main","copy_branch":["north","city"],"location":"new","on_site":true,"channel":"self",\
        "due_at":"2026-03-12T22:59:59Z","claimed":true},\
        {"title":5,"item_type":"book","branch":["north","city"]}],"holds":6,"extra":{"gym":[1,true]},\
        "history":[{"title":21,"item_type":["dvd","film"],"branch":"main","copy_branch":["north","city"],\
        "on_site":true,"channel":"web","lent_at":"2026-02-01T09:00:00Z","returned_at":"2026-02-03T09:00:00Z"}],\
        "history_since":"2026-01-01T00:00:00Z","owed_since":"2026-02-05",\
        "household":{"people":3,"loans":7,"overdue":2,"owed":"9.00 SEK","claimed":3,"same_title":2,\
        "same_title_claimed":1},\
        "guardians":{"people":1,"loans":2,"overdue":1,"owed":"1.50 SEK"},\
        "dependents":{"people":2,"loans":4,"overdue":0,"owed":"0.00 SEK"},\
        "family":{"people":5,"loans":8,"overdue":3,"owed":"10.50 SEK"}},\
        "title":{"id":8,"genres":["Drama"],"courses":["SF1624"],"copies":9,"available":10,"holds_waiting":11,\
        "holds_for_copy":1,"extra":{"weight":2.5},"times_lent":22,\
        "times_lent_since":"2026-02-08T23:00:00Z"},"copy":{"branch":"north","item_type":["atlas","book"],\
        "status":"on_loan","replacement_price":"300.00 SEK","location":"reference","acquired_on":"2024-02-29",\
        "held_for_other":true},"loan":{"id":12,\
        "lent_at":"2026-02-10T09:00:00Z","due_at":"2026-03-05T22:59:59Z","original_due_at":"2026-02-24T22:59:59Z",\
        "renewals":2,"unseen_renewals":1,"recalled_at":"2026-03-01T08:00:00Z","lost_at":"2026-03-06T08:00:00Z",\
        "claimed_at":"2026-03-07T08:00:00Z","on_site":true,\
        "notices_sent_until":"2026-03-01T00:00:00Z","notices":[{"stage":"first","repetition":1,\
        "at":"2026-03-06T06:00:00Z"}]},"request":{"size":2,"titles":[8,0],"index":1,"granted":[{"title":13,\
        "item_type":"book","branch":"main","channel":"desk"}],"on_site":true,\
        "wanted_until":"2026-03-15"},"hold":{"id":14,"category":"child",\
        "pickup_branch":"south","placed_at":"2026-03-02T10:00:00Z","expires_on":"2026-05-01","for_copy":true,\
        "priority":2,"position":3,"placed_today":4,"at_pickup":5,\
        "of_item_type":6,"of_item_types":[6,7]},"listing":{"id":15,"seller":16,\
        "seller_category":"student","kind":"rent","price":"10.00 SEK","period":"P14D","quantity":2,\
        "condition":"worn","edition":"3rd","picture":true,"state":"review","others":3},"suggestion":{"id":17,\
        "isbn":true,"courses":["SF2"],"college":"Engineering","others":4},"lines":[{"kind":"rent","label":"Emma",\
        "title":18,"listing":19,"seller":20,"seller_category":"student","quantity":2,"price":"5.00 SEK","periods":3,\
        "ends":"2026-04-10"}],"event":"renewed"}
        """

    /// A checkout of which nothing is written.
    private static let plain = """
        {"point":"checkout","now":"2026-01-15T12:00:00Z","time_zone":"Etc/UTC","branch":"main","currency":"EUR",\
        "actor":{"role":"staff","channel":"desk"},"patron":{"id":1,"category":"patron","home_branch":"main",\
        "fees_owed":"0.00 EUR","overdue":0,"lost":0,"blocks":[],"loans":[],"holds":0},"title":{"id":1,"copies":1,\
        "available":1,"holds_waiting":0},"copy":{"branch":"main","item_type":"book","status":"available"},"loan":null,\
        "request":{"size":1,"titles":[1],"index":1},"listing":null}
        """

    private func written(_ text: String) throws -> String {
        let question = try Case(json: JSONParser.parse(text))
        var writer = JSONWriter()
        question.write(to: &writer, withCalendar: false)
        return writer.text
    }

    @Test("cases are kept as they always were, whatever is in them")
    func form() throws {
        #expect(try written(Self.full) == Self.full)
        #expect(try written("{}") == Self.plain)
        #expect(try written(Self.plain) == Self.plain)
    }

    @Test("every declared field is tried, and each name is declared once")
    func complete() throws {
        let question = CaseRecords.question
        var names: Set<String> = []
        func collect<Part>(_ record: CaseRecord<Part>) {
            #expect(Set(record.names).count == record.names.count, "\(record.name)")
            for field in record.fields where field.writer != nil {
                if case .nested(let nesting) = field.content { open(nesting) }
                names.insert(field.name)
            }
        }
        func open(_ nesting: some CaseNesting) { collect(nesting.record) }
        collect(question)
        for name in names { #expect(Self.full.contains("\"\(name)\":"), "\(name)") }
    }

    @Test("paths lead to every field that a policy's functions have, and say what it is")
    func paths() throws {
        let paths = CaseRecords.question.paths()
        #expect(Set(paths.map(\.path)).count == paths.count)
        let byPath = Dictionary(uniqueKeysWithValues: paths.map { ($0.path, $0) })
        #expect(byPath["time_zone"] == nil)
        let branch = try #require(byPath["patron.loans[].copy_branch"])
        #expect(branch.kind == .text && branch.mayBeAbsent && branch.meaning == .branch && !branch.isList)
        #expect(byPath["request.granted[].branches"]?.isList == true)
        #expect(byPath["lines"]?.isList == true && byPath["lines"]?.kind == nil)
        #expect(byPath["loan.days_overdue"]?.meaning == .lateness)
        #expect(byPath["listing.state"]?.kind == .choice(Listing.State.allCases.map(\.rawValue)))
    }
}
