import Foundation
import Interchange
import TestSupport

/// A sound file that damaged ones are made of.
struct ImportSeed: Sendable, CustomStringConvertible {
    let name: String
    let text: String
    /// The bytes that identify its kind for an import that is told nothing else.
    var description: String { name }

    init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    /// The first lines of one of the package's own files.
    private static func head(_ name: String, lines: Int) -> ImportSeed {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return head(name, of: root.appending(path: "data/\(name)").path(percentEncoded: false), lines: lines)
    }

    private static func head(_ name: String, of path: String, lines: Int) -> ImportSeed {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let kept = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(lines)
        return ImportSeed(name, kept.joined(separator: "\n") + "\n")
    }

    static let tables = [
        head("titles.csv", lines: 8), head("patrons.csv", lines: 8),
        ImportSeed(
            "copies.csv",
            """
            barcode;isbn;branch;item_type;status;replacement_price
            A1;9780140449136;main;book;available;12.50
            A2;9780140449136;north;dvd;missing;3
            A3;9780140449136;;;;
            """),
        ImportSeed(
            "loans.csv",
            """
            isbn,title,barcode,username,category,branch,lent_on,due_on,returned_on,renewals,lent_at,returned_at,key
            9780140449136,,,ada,,,2026-09-01,2026-09-15,,0,,,
            9780140449136,,,,staff,main,2025-01-02,2025-01-30,2025-01-20,2,,,old-17
            ,"Emma, a novel",,,public,,2025-03-04,,2025-04-01,,2025-03-04T10:00:00Z,2025-04-01T09:00:00Z,
            """),
        ImportSeed(
            "reed.csv",
            """
            Title,Author,PubDate,PubDateRange,Location,Call_No,Copies,Loaned,Returned,Patron,Thesis
            Femmes d'Alger,"Djebar, Assia, 1936-2015.",2002,,Reserve Fall 3 hr,PQ3989,5,2018-10-02,2018-10-02,Alumni,FALSE
            Oresteia,Aeschylus,1984,,Main,PA,6,2018-10-24,2018-10-20,Faculty,FALSE
            Oresteia,Aeschylus,1984,,Main,PA,6,2018-10-24,,Faculty,TRUE
            """),
        ImportSeed(
            "goodbooks.csv",
            """
            book_id,isbn,isbn13,authors,original_publication_year,original_title,title,language_code,average_rating
            1,439023483,9.78043902348e+12,Suzanne Collins,2008.0,The Hunger Games,The Hunger Games,eng,4.34
            2,439554934,9.78043955493e+12,"J.K. Rowling, Mary GrandPré",1997.0,Harry Potter,Harry Potter,eng,4.44
            """),
        ImportSeed(
            "courses.csv",
            """
            Dept,Course num,Section num,Title,Author,ISBN,Status
            ACEN,110C,01,Northstar Ed: 4 Th Yr: 2015,Preiss,9780134279770,Required
            HIS,001,01,Reader,4 Th Ed,-,Optional
            """),
    ]

    static let documents = [
        head("settings.json", lines: 1_000),
        ImportSeed(
            "users.json",
            #"[{"name":"Ada","surname":"Byron","username":"ada","password":"secret"},"#
                + #"{"name":"Bo","surname":"Müller","username":"bo","password":""}]"#),
        ImportSeed(
            "books.json",
            #"[{"title":"Odyssey","ISBN":"9780140449136","author":"Homer","genre":"Epic","copies":2,"given_copies":1},"#
                + "\n" + #"{"title":"Emma","ISBN":"9780141439587","author":"Austen","copies":0,"given_copies":1}]"#),
        ImportSeed(
            "bitbooks-loans.json",
            #"[{"username":"ada","isbn":"9780140449136","loan_date":"01-10-2026","return_date":"15-10-2026"}]"#),
        ImportSeed(
            "notifications.json",
            #"[{"username":"ada","isbn":"9780140449136","message":"Return it","notified":false}]"#),
        ImportSeed(
            "export.jsonl",
            """
            {"moonshelf":{"version":1}}
            {"branch":{"code":"west","name":"West","zone":"Europe/Berlin","calendar":{"weekly":{"mon":[["09:00","17:00"]]},"closed":["2026-12-24"]}}}
            {"item_type":{"code":"bluray","name":"Blu-ray","parent":"dvd"}}
            {"title":{"isbn":"9780131103627","title":"C","authors":["K","R"],"year":1988,"courses":["X 1",{"code":"Y","name":"Z"}],"stars":4,"recommended":true,"extra":{"shelf":[1,2.5,null]},"copies":[{"barcode":"C1","branch":"west","item_type":"dvd","replacement_price":"5.00"}]}}
            {"patron":{"username":"eve","name":"Eve","surname":"S","category":"public","birth_date":"2001-02-03","role":"staff","extra":{"a":"b"}}}
            {"loan":{"isbn":"9780131103627","username":"eve","lent_at":"2026-09-01T10:00:00Z","due_on":"2026-09-15","renewals":1}}
            {"username":"bob","name":"Bob"}
            {"title":"Bare","authors":["A"],"copies":3}
            {"barcode":"B1","isbn":"9780131103627"}
            """),
    ]

    /// The first lines of published files, where they are at hand.
    static let published: [ImportSeed] =
        SharedData.isMissing
        ? []
        : [
            "data/catalogue/goodbooks-10k/books.csv",
            "data/circulation/reed-college/reed_checkouts_2018-08_2018-12.csv",
            "data/circulation/newcastle/top-5-most-borrowed-items.csv", "data/courses/ucsc_textbooks_2018.csv",
        ].map { head(URL(filePath: $0).lastPathComponent, of: SharedData.path($0), lines: 6) }

    static let all = tables + documents + published
}
