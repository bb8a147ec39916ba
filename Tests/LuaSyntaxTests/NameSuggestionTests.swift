import LuaSyntax
import Testing
import TextFormats

@Suite("A misspelt name suggests the one meant")
struct NameSuggestionTests {
    static let fields = [
        "id", "category", "home_branch", "language", "age", "expires_on", "fees_owed", "overdue", "lost", "blocks",
        "suspended_until", "loans", "holds", "extra", "renewals", "due_at", "holds_waiting",
    ]

    @Test(
        "one slip of each kind is found",
        arguments: [
            ("catgory", "category"), ("cattegory", "category"), ("categori", "category"), ("cateogry", "category"),
            ("agee", "age"), ("aeg", "age"), ("ag", "age"), ("feesOwed", "fees_owed"), ("Category", "category"),
            ("FEES_OWED", "fees_owed"), ("laons", "loans"), ("hold", "holds"), ("renewal", "renewals"),
            ("dueat", "due_at"),
            ("expires", "expires_on"), ("suspended_untill", "suspended_until"), ("homebranch", "home_branch"),
        ])
    func slips(written: String, meant: String) {
        #expect(NameSuggestion.nearest(to: written, among: Self.fields) == meant)
    }

    @Test("what is near to nothing suggests nothing", arguments: ["barcode", "xyz", "q", "", "colour", "zz", "_"])
    func strangers(written: String) {
        #expect(NameSuggestion.nearest(to: written, among: Self.fields) == nil)
    }

    @Test("of equally near names, the one with the same first letter wins, then the first in the alphabet")
    func ties() {
        #expect(NameSuggestion.nearest(to: "bat", among: ["cat", "bar", "bag"]) == "bag")
        #expect(NameSuggestion.nearest(to: "dat", among: ["hat", "cat"]) == "cat")
        #expect(NameSuggestion.nearest(to: "loan", among: [] as [String]) == nil)
    }

    @Test("the name itself is not suggested")
    func itself() {
        #expect(NameSuggestion.nearest(to: "loans", among: ["loans"]) == nil)
    }

    @Test("any transposition of neighbours in any name of five letters or more finds that name", arguments: fields)
    func transpositions(name: String) throws {
        guard name.count >= 5 else { return }
        for index in 0..<(name.count - 1) {
            var letters = Array(name)
            letters.swapAt(index, index + 1)
            let written = String(letters)
            if written != name {
                #expect(NameSuggestion.nearest(to: written, among: Self.fields) == name, "\(written)")
            }
        }
    }

    @Test(
        "a name of other systems means the one that it says part of, or that says part of it",
        arguments: [
            ("loan_period", "loan"), ("max_renewals", "renewals"), ("fine_per_day", "fine"),
            ("hold_shelf_days", "hold_shelf"), ("patron_category", "category"), ("item", "item_type"),
            ("homeBranch", "home_branch"), ("LoanDays", "loan"), ("cat", "category"), ("laon", "loan"), ("xyz", nil),
        ] as [(String, String?)])
    func meant(written: String, name: String?) {
        let known = ["loan", "renewals", "fine", "holds", "hold_shelf", "category", "item_type", "home_branch"]
        #expect(NameSuggestion.meant(by: written, among: known) == name)
    }

    @Test(
        "two values of a library are one with a slip of the pen, or two",
        arguments: [
            ("gest", "guest", true), ("boko", "book", true), ("books", "book", true), ("dvds", "dvd", true),
            ("Staff", "staff", true), ("DVD", "dvd", true), ("undergradate", "undergraduate", true),
            ("studnet", "student", true), ("lent", "rent", false), ("dvd", "cd", false), ("cd", "cde", false),
            ("group_a", "group_b", false), ("year1", "year2", false), ("year", "year1", false), ("book", "book", false),
            ("child", "adult", false), ("student_ft", "student_pt", false), ("resident", "president", false),
            ("udnergraduate", "undergraduate", true), ("part_time_studnet", "part_time_student", true),
        ])
    func values(written: String, other: String, slip: Bool) {
        #expect(NameSuggestion.isTypo(written, of: other) == slip)
        #expect(NameSuggestion.isTypo(other, of: written) == slip)
    }
}
