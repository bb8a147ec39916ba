import Circulation
import Desk
import TestSupport
import TextFormats

/// Libraries that are unlike any that somebody made by hand.
enum RandomLibrary {
    /// All kinds of records, as an export writes them, with what a careless reader would mend.
    private static let records = #"""
        {"library":{"name":" The \"Library\" ","zone":"Europe/Berlin","currency":"EUR"}}
        {"category":{"code":"public","name":"Public"}}
        {"item_type":{"code":"atlas","name":"Atlas"}}
        {"item_type":{"code":"book","name":"Book"}}
        {"item_type":{"code":"print","name":"Print"}}
        {"item_type":{"code":"atlas","name":"Atlas","parent":"print"}}
        {"location":{"code":"stacks","name":" Stacks "}}
        {"location":{"code":"new books","name":"At the \"door\""}}
        {"title":{"id":3,"isbn":"9780140449136","title":"Odyssey ","authors":["Homer","Homer"],"year":-700,"copies":[{"id":7,"barcode":"c1","branch":"north","item_type":"book"},{"id":8,"barcode":"c2","branch":"north","item_type":"atlas","status":"lost","replacement_price":"12.50 EUR","location":"new books","acquired_on":"2024-02-29"}]}}
        {"title":{"id":5,"title":"Twin","publisher":" ","extra":{"b":1,"a":[null,"x"]},"copies":[{"id":9,"barcode":"c3","branch":"north","item_type":"book","status":"on_hold_shelf"}]}}
        {"title":{"id":9,"title":"Twin","publisher":" ","extra":{"b":1,"a":[null,"x"]},"copies":[{"id":12,"barcode":"c4","branch":"north","item_type":"book"}]}}
        {"patron":{"id":2,"username":"ada","name":"Ada","surname":"","email":"","category":"public","home_branch":"north","extra":{"note":" x "},"blocks":[{"kind":"manual","reason":" lost card\n","created_at":"2026-01-02T08:00:00Z","lifted_at":"2026-01-03T08:00:00Z"},{"kind":"suspension","actions":["borrow"],"created_at":"2026-02-02T08:00:00.000001Z","ends":"2026-03-01"}]}}
        {"patron":{"id":4,"username":"bob","name":"","surname":"B","category":"public","home_branch":"north","birth_date":"2001-02-03","role":"staff"}}
        {"patron":{"id":6,"username":"cyd","name":"","surname":"","category":"public","home_branch":"north"}}
        {"patron_link":{"id":3,"username":"ada","other":"bob","kind":"guardian","added_at":"2026-01-02T08:00:00Z"}}
        {"patron_link":{"id":5,"username":"cyd","other":"ada","kind":"household","added_at":"2026-01-02T08:00:00.000001Z"}}
        {"loan":{"id":11,"key":"loan:11:1767607200000000","title_id":9,"title":"Twin","authors":[],"barcode":"c4","username":"ada","category":"public","home_branch":"north","branch":"north","item_type":"book","lent_at":"2026-01-05T10:00:00Z","due_on":"2026-01-19","due_at":"2026-01-19T17:30:00Z","due_exact":true,"original_due_at":"2026-01-12T17:30:00Z","renewals":2,"unseen_renewals":1,"renewed":["2026-01-07T10:00:00Z","2026-01-10T10:00:00Z"],"renewed_at":"2026-01-10T10:00:00Z","recalled_at":"2026-01-11T10:00:00Z","on_site":true,"channel":"self"}}
        {"loan":{"id":12,"key":"loan:12:1767607200000001","title_id":5,"title":"Twin","authors":[],"barcode":"c3","username":"bob","category":"public","home_branch":"north","branch":"north","item_type":"book","lent_at":"2026-01-05T10:00:00.000001Z","due_on":"2026-01-19","due_at":"2026-01-19T23:00:00Z","returned_at":"2026-01-06T10:00:00Z","channel":"desk"}}
        {"loan":{"id":13,"key":"row:abc:1","isbn":"9780140449136","category":"public","lent_at":"2020-01-05T10:00:00Z","renewals":3,"renewed":["2020-02-05T10:00:00Z"]}}
        {"loan":{"id":14,"key":"loan:14:1767607200000001","isbn":"9780140449136","category":"public","lent_at":"2026-01-05T10:00:00.000001Z","renewals":1}}
        {"hold":{"id":21,"key":"hold:21:1767607200000000","title_id":5,"title":"Twin","authors":[],"username":"ada","held_barcode":"c3","pickup_branch":"north","state":"shelf","placed_at":"2026-01-05T10:00:00Z","shelved_at":"2026-01-06T10:00:00Z","channel":"desk"}}
        {"hold":{"id":22,"key":"hold:22:1767607200000000","title_id":9,"title":"Twin","authors":[],"username":"ada","held_barcode":"c4","pickup_branch":"north","state":"filled","placed_at":"2026-01-05T10:00:00Z","closed_at":"2026-01-05T10:00:00Z","loan":"loan:11:1767607200000000"}}
        {"ledger_entry":{"id":31,"key":"fine:loan:11","username":"ada","loan":"loan:11:1767607200000000","kind":"fine","amount":"1.20 EUR","label":" Overdue ","at":"2026-01-21T10:00:00Z"}}
        {"ledger_entry":{"id":32,"key":"payment:2#31","username":"ada","kind":"payment","amount":"-1.20 EUR","label":"","at":"2026-01-22T10:00:00Z"}}
        {"ledger_entry":{"id":35,"key":"charge:77:gone","kind":"charge","amount":"0.50 EUR","label":"Somebody who left","at":"2026-01-22T10:00:00Z"}}
        {"notice":{"id":41,"kind":"overdue","subject_key":"loan:11","username":"ada","loan":"loan:11:1767607200000000","due_at":"2026-01-19T17:30:00Z","stage":"first","repetition":1,"channel":"email","subject":"Overdue","body":"Dear Ada,\n\nplease.\n","state":"sent","created_at":"2026-01-21T10:00:00Z","sent_at":"2026-01-21T10:05:00Z","tries":2}}
        {"notice":{"id":42,"kind":"message","subject_key":"patron:4:hello","username":"bob","stage":"message","channel":"inbox","subject":"","body":"","state":"read","created_at":"2026-01-21T10:00:00Z","read_at":"2026-01-22T10:00:00Z"}}
        {"notice":{"id":45,"kind":"digest","subject_key":"patron:2:email","username":"ada","due_at":"2026-01-23T10:00:00Z","stage":"second","channel":"email","subject":"Overdue (+1)","body":"Both.","state":"sent","created_at":"2026-01-23T10:00:00Z","sent_at":"2026-01-23T10:05:00Z","digest_subject":"{{count}} overdue","digest_body":" {{list}}\n"}}
        {"notice":{"id":43,"kind":"overdue","subject_key":"loan:11","username":"ada","loan":"loan:11:1767607200000000","due_at":"2026-01-19T17:30:00Z","stage":"second","channel":"email","subject":"Overdue","body":"One.","state":"sent","created_at":"2026-01-23T10:00:00Z","sent_at":"2026-01-23T10:05:00Z","carried_by":45,"digest_line":"- Twin "}}
        {"in_house_use":{"id":51,"barcode":"c3","title_id":5,"title":"Twin","authors":[],"item_type":"book","branch":"north","used_at":"2026-01-21T10:00:00Z"}}
        {"in_house_use":{"id":52,"barcode":"c3","title_id":5,"title":"Twin","authors":[],"item_type":"book","branch":"north","used_at":"2026-01-21T10:00:00Z"}}
        {"in_house_use":{"id":53,"used_at":"2026-01-21T10:00:00Z"}}
        """#

    static let head = #"{"moonshelf":{"version":2,"whole":true}}"#
    private static let branch = #"{"branch":{"code":"north","name":"North"}}"#
    static let text = [head, branch, records].joined(separator: "\n") + "\n"

    private static let words = [
        "Emma", " Emma", "Emma ", "", "\t", "é", "e\u{301}", "图书", "a\nb", "\"", "\\", "\u{0}x",
    ]

    static func perform(_ step: Int, _ desk: Desk, _ random: inout SplitMix) throws {
        let word = Self.words.randomElement(using: &random) ?? ""
        let other = Self.words.randomElement(using: &random) ?? ""
        let patron = PatronKey.id(Int64.random(in: 1...12, using: &random))
        let title = Int64.random(in: 1...25, using: &random)
        let cents = Money(minorUnits: Int64.random(in: 1...900, using: &random), currency: .eur)
        let choice = Int.random(in: 0..<20, using: &random)
        try desk.write { session in
            switch choice {
            case 0...3:
                let genres = [word, other].filter { !$0.isEmpty }
                _ = try? session.catalogue.add(
                    Title(
                        title: word + "x", authors: [other], publisher: other, genres: genres,
                        courses: [Course(code: "C\(step % 3)", name: step % 2 == 0 ? word : nil)],
                        recommended: step % 2 == 0, extra: step % 3 == 0 ? ["k": .string(word)] : [:]))
            case 4, 5: _ = try session.catalogue.addCopies(of: .id(title), count: 1)
            case 6: _ = try session.catalogue.remove(.id(title))
            case 7...9:
                // Files of other systems bring addresses of any kind.
                _ = try? session.imports.patron(
                    Patron(
                        username: "p\(step)", name: word, surname: other, email: step % 2 == 0 ? word : nil,
                        category: "patron", homeBranch: "main", extra: ["k": .string(other)]))
            case 10: _ = try session.patrons.remove(patron)
            case 11: _ = try session.patrons.block(patron, kind: "manual", reason: word)
            case 12:
                _ = try session.patrons.unblock(patron)
                let linked = PatronKey.id(Int64(step % 12 + 1))
                _ = try session.patrons.link(patron, to: linked, as: step % 2 == 0 ? .guardian : .household)
            case 13: _ = try session.fees.charge(patron, amount: cents, label: word)
            case 14: _ = try session.fees.pay(patron, amount: cents)
            case 15:
                _ = try session.notices.send(to: patron, channel: "inbox", subject: word, body: other, key: "k\(step)")
            case 16: _ = try session.notices.markRead(Int64.random(in: 1...9, using: &random))
            case 17:
                let copy = try session.catalogue.copies(of: .id(title)).first
                if let copy { _ = try session.loans.useInHouse(barcode: copy.barcode) }
            case 18:
                _ = try session.settings.addItemType(ItemType(code: "t\(step)", name: word + "x"))
                _ = try session.settings.updateItemType("book") { $0.parent = "t\(step)" }
            default:
                let copy = try session.catalogue.copies(of: .id(title)).first { $0.status == .available }
                let borrower = try session.patrons.get(patron)
                let at = try session.now.adding(seconds: Int64(-step) * 86_400)
                _ = try session.imports.loan(
                    Loan(
                        copy: copy?.id, title: copy?.title, patron: borrower?.id, lentAt: at,
                        due: DueTime(instant: session.now, date: Zone.utc.date(of: session.now), isExact: true),
                        returnedAt: step % 2 == 0 ? session.now : nil, renewals: Int64(step % 4),
                        importKey: "step:\(step)"))
            }
        }
    }
}
