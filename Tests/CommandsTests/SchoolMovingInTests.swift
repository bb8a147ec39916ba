import Foundation
import TestSupport
import Testing
import TextFormats

/// A school that moves in: its list of pupils and parents, titles of another catalogue with their copies, and what is on loan.
@Suite("A school moves in")
struct SchoolMovingInTests {
    private static let (pupils, parents, titles, loans) = (1_200, 300, 700, 1_000)
    private static let today = "2026-10-07T10:00:00Z"

    private static let policy = """
        return policy {
            name = "School",
            limits = { { max = 4 } },
            rules = { { loan = days(14), renewals = 2, fine = money "0.10", per = days(1), fine_cap = money "2.00" } },
            notices = {
                { stage = "soon", before = days(2), channel = "email", subject = "Soon", body = "{{title.title}}" },
                { stage = "late", after = days(7), channel = "email", subject = "Late", body = "{{title.title}}" },
            },
        }

        """

    /// Pupils stand before the parents who answer for them.
    private static var people: String {
        var lines = ["username,name,surname,category,home_branch,birth_date,email,guardians"]
        for number in 0..<pupils {
            let (day, month) = (1 + number % 28, 1 + number % 12)
            let born = "20\(10 + number % 8)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
            lines.append(
                "s\(number),Pupil\(number),Family\(number % parents),child,main,\(born),s\(number)@example.org,"
                    + "g\(number % parents)")
        }
        for number in 0..<parents {
            lines.append("g\(number),Parent\(number),Family\(number),adult,main,,g\(number)@example.org,")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Each title with two copies.
    private static var catalogue: String {
        let records = (0..<titles).map { number in
            let copies = ["a", "b"].map { copy in
                """
                <datafield tag="952" ind1=" " ind2=" "><subfield code="p">B\(number)\(copy)</subfield>\
                <subfield code="a">main</subfield><subfield code="y">book</subfield><subfield code="v">9.50</subfield></datafield>
                """
            }.joined()
            return """
                <record><leader>00000nam a2200000 a 4500</leader><controlfield tag="001">m\(number)</controlfield>\
                <datafield tag="100" ind1="1" ind2=" "><subfield code="a">Writer, \(number % 90).</subfield></datafield>\
                <datafield tag="245" ind1="1" ind2="0"><subfield code="a">Reader number \(number)</subfield></datafield>\
                \(copies)</record>
                """
        }
        return #"<?xml version="1.0" encoding="UTF-8"?><collection xmlns="http://www.loc.gov/MARC21/slim">"#
            + records.joined(separator: "\n") + "</collection>\n"
    }

    /// The first tenth was due long ago, the next one is due soon, of the rest a half in weeks; one pupil in eight has more
    /// than one.
    private static var open: String {
        var lines = ["barcode,username,lent_on,due_on"]
        for number in 0..<loans {
            let due =
                switch number % 10 {
                case 0: "2026-09-20"
                case 1: "2026-10-08"
                default: "2026-10-\(15 + number % 10)"
                }
            let copy = "B\(number % titles)\(number < titles ? "a" : "b")"
            lines.append("\(copy),s\(number * 7 % (pupils - 1)),2026-09-06,\(due)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let files = ["pupils.csv", "catalogue.xml", "loans.csv"]

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(
            at: BuiltCommand.root.appending(path: "plugins"), to: folder.url.appending(path: "plugins"))
        try folder.write(policy, to: "school.lua")
        for (name, text) in zip(files, [people, catalogue, open]) { try folder.write(text, to: name) }
        try run(folder, ["init"])
        try run(folder, ["policy", "use", "school.lua"])
        try run(folder, ["plugin", "use", "plugins/marc"])
        return folder
    }

    @discardableResult
    private static func run(
        _ folder: borrowing TemporaryFolder, _ words: [String], at now: String = today, store: String = "moonshelf.db"
    ) throws -> BuiltCommand.Result {
        let result = try folder.command.run(["--now", now, "--store", "sqlite:\(store)"] + words)
        #expect(result.status == 0, "\(words): \(result)")
        return result
    }

    private static func value(
        _ folder: borrowing TemporaryFolder, _ lua: String, at now: String = today, store: String = "moonshelf.db"
    ) throws -> String {
        try run(folder, ["eval", lua], at: now, store: store).output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func report(_ folder: borrowing TemporaryFolder, _ name: String) throws -> JSON {
        try JSONParser.parse(String(contentsOfFile: folder.path(name), encoding: .utf8))
    }

    private static let count = """
        local n = { patrons = patrons.count(), titles = catalogue.count{}, open = 0, links = 0 }
        for _ in loans.each{ state = "open" } do n.open = n.open + 1 end
        n.links = #patrons.links("g0")
        return json.encode(n)
        """

    private static func counts(_ folder: borrowing TemporaryFolder, store: String = "moonshelf.db") throws -> JSON {
        try JSONParser.parse(value(folder, count, store: store))
    }

    private static func expectMovedIn(_ report: JSON, isTrial: Bool) {
        #expect(report["agrees"] == true && report["is_trial"]?.boolValue == isTrial && report["rejected"] == 0)
        #expect(report["after"]?["open_loans"] == .integer(Int64(loans)), "\(report["after"] ?? .null)")
        #expect(report["after"]?["copies"] == .integer(Int64(2 * titles)))
        #expect(report["loans"]?["decided"] == .integer(Int64(loans)))
        #expect(report["loans"]?["overdue"] == .integer(Int64(loans / 10)))
    }

    @Test("a trial, a copy to look at, the move with its report, and a first day on which nothing is said again")
    func whole() throws {
        let folder = try Self.folder()
        // A trial keeps nothing.
        try Self.run(folder, ["import", "--dry-run", "--report", "trial.json"] + Self.files)
        Self.expectMovedIn(try Self.report(folder, "trial.json"), isTrial: true)
        #expect(try Self.counts(folder)["patrons"] == 0)

        // A copy to look at, with a first night.
        try Self.run(folder, ["import", "--into", "look.db"] + Self.files)
        #expect(try Self.counts(folder)["patrons"] == 0)
        try Self.run(folder, ["doctor"], store: "look.db")
        try Self.run(folder, ["notices", "sweep"], store: "look.db")

        // For good.
        try Self.run(folder, ["import", "--report", "moved.json"] + Self.files)
        Self.expectMovedIn(try Self.report(folder, "moved.json"), isTrial: false)
        let counts = try Self.counts(folder)
        #expect(counts["patrons"] == .integer(Int64(Self.pupils + Self.parents)))
        #expect(counts["titles"] == .integer(Int64(Self.titles)))
        #expect(counts["links"] == .integer(Int64(Self.pupils / Self.parents)))
        #expect(try Self.counts(folder, store: "look.db") == counts)
        let again = try Self.run(folder, ["import", "--json"] + Self.files).json()
        #expect(again["added"] == 0 && again["updated"] == 0 && again["rejected"] == 0, "\(again)")
        try Self.run(folder, ["doctor"])
        try firstDay(folder)
    }

    /// The desk on its first day and in the week behind it.
    private func firstDay(_ folder: borrowing TemporaryFolder) throws {
        let overdue = Self.loans / 10
        let swept = try Self.run(folder, ["notices", "sweep", "--json"]).json()
        // 17 days at 10 cents; what the other system was to say is said.
        #expect(
            swept["charges"] == .integer(Int64(overdue)) && swept["notices"] == 0 && swept["failed"] == 0, "\(swept)")
        #expect(swept["charged"]?.stringValue?.hasPrefix("\(overdue * 17 / 10).00") == true, "\(swept)")
        let twice = try Self.run(folder, ["notices", "sweep", "--json"]).json()
        #expect(twice["charges"] == 0 && twice["notices"] == 0)
        // A loan that is due tomorrow is renewed by the policy, one that was due comes back with its fine.
        let renewed = try Self.run(
            folder,
            [
                "eval", "--allow", "loans.write",
                "local copy, loan = catalogue.copy('B1a').id for one in loans.each{ state = 'open' } do "
                    + "if one.copy == copy then loan = one end end local due = loan.due_at "
                    + "return assert(loans.renew(loan)).due_at > due",
            ])
        #expect(renewed.output == "true\n", "\(renewed)")
        let back = try Self.run(
            folder,
            [
                "eval", "--allow", "loans.write,fees.write",
                "local who = assert(loans.checkin{ barcode = 'B0a' }).patron "
                    + "local owed = fees.owed(who) assert(fees.pay{ patron = who, amount = owed }) return owed, fees.owed(who)",
            ])
        #expect(back.output.contains("1.70") && back.output.contains("0.00"), "\(back)")
        // The day of the notices that were not yet due when the school moved in.
        let later = try Self.run(folder, ["notices", "sweep", "--json"], at: "2026-10-15T10:00:00Z").json()
        // Those due on 8 October are late by a week, but for the renewed one; those due from the 15th to the 17th come soon.
        let list = try Self.value(
            folder,
            "local n = {} for _, one in ipairs(notifications.list{ limit = 1000 }) do n[one.stage] = (n[one.stage] or 0) + 1 end "
                + "return json.encode(n)", at: "2026-10-15T10:00:00Z")
        #expect(
            later["notices"]?.integerValue ?? 0 > Int64(overdue) && list.contains(#""late":\#(overdue - 1)"#), "\(list)"
        )
        let still = try Self.run(folder, ["notices", "sweep", "--json"], at: "2026-10-15T11:00:00Z").json()
        #expect(still["notices"] == 0 && still["charges"] == 0, "\(still)")
        try Self.run(folder, ["doctor"], at: "2026-10-15T12:00:00Z")
    }
}
