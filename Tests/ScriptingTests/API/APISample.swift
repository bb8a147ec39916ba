import Circulation
import Desk
import Market
import Pictures
import Scripting
import Secrets
import Storage
import Testing
import TextFormats

/// The library that the examples of the API are about: four titles, three patrons, three loans, on 24 December 2026.
struct APISample {
    let desk: Desk
    let clock: ManualClock
    let output = RecordedOutput()

    init() throws {
        let store = try SQLiteStore.open(.memory, create: true)
        clock = ManualClock(try Instant(parsing: "2026-12-01T10:00:00Z"))
        desk = Desk(
            store: store, policies: APISampleLoader(), clock: clock, actor: .desk, extensions: [MarketExtension()],
            outside: ExternalServices(
                bookData: { SampleBookData() }, pictures: { SamplePictures() }, web: { SampleServers() },
                passwordCost: .least))
        try desk.prepare()
        try fill()
    }

    /// Runs the body with a fresh evaluator that may do everything.
    func evaluator(granted: Set<Capability> = Set(Capability.grantable)) throws -> ScriptEvaluator {
        try ScriptEvaluator(desk: desk, clock: clock.now, output: output, granted: granted)
    }

    func runner() -> ScriptRunner { ScriptRunner(desk: desk, clock: clock.now, output: output) }

    /// The values of a line as text, or its failure.
    func evaluate(_ line: String, granted: Set<Capability> = Set(Capability.grantable)) throws -> String {
        try APISample.text(of: evaluator(granted: granted).evaluate(line))
    }

    static func text(of evaluation: ScriptEvaluator.Evaluation) -> String {
        switch evaluation {
        case .values(let values): ScriptEvaluator.texts(of: values).joined(separator: ", ")
        case .incomplete: "incomplete"
        case .failed(let failure): "\(failure.code): \(failure.message)"
        }
    }

    // MARK: - Content

    private func fill() throws {
        try settings()
        try catalogue()
        try patrons()
        try loans()
        clock.set(try Instant(parsing: "2026-12-24T10:00:00Z"))
        try desk.write { session in
            _ = try session.notices.send(
                to: .username("ada"), channel: "inbox", subject: "Welcome", body: "Hello, Ada.", key: "welcome")
            _ = try session.notices.send(
                to: .username("bob"), channel: "email", subject: "Card", body: "Your card is here.", key: "card")
            let price = try Money(parsing: "2.50", currency: .eur)
            _ = try session.fees.charge(.username("bob"), amount: price, label: "Replacement card")
            // As if somebody had asked about them before.
            try session.catalogue.keep(
                BookData(description: "Set on the desert planet Arrakis.", year: 1965), of: ISBN("9780441013593"),
                by: SampleBookData())
            try session.catalogue.keep(BookData(), of: ISBN("9780261103344"), by: SampleBookData())
        }
    }

    private func settings() throws {
        let files = [PolicyBundle.File(name: "sample.lua", source: "return policy {}")]
        let hours = [try OpeningHours(try CivilTime(hour: 9, minute: 0), to: try CivilTime(hour: 18, minute: 0))]
        let christmas = try OpeningCalendar.Closure(CivilDate(parsing: "2026-12-25"), reason: "Christmas")
        let calendar = try OpeningCalendar(
            weekly: Array(repeating: hours, count: 5) + [[], []], closed: [christmas])
        try desk.write { session in
            _ = try #require(
                session.settings.updateBranch("main") {
                    $0 = Branch(code: "main", name: "Main Library", calendar: calendar)
                }
                .value)
            _ = try #require(
                session.settings.addCategory(Category(code: "undergraduate", name: "Undergraduates")).value)
            _ = try #require(session.settings.addCategory(Category(code: "staff", name: "Staff")).value)
            _ = try #require(
                session.settings.addLocation(ShelvingLocation(code: "ref", name: "Reference room")).value)
            _ = try #require(
                session.policies.activate(PolicyBundle(sha256: APISamplePolicy.sha256, files: files)).value)
        }
    }

    private func catalogue() throws {
        let titles = [
            Title(
                isbn: try ISBN("9780261103573"), title: "The Fellowship of the Ring", authors: ["J.R.R. Tolkien"],
                year: 1954),
            Title(isbn: try ISBN("9780261103344"), title: "The Hobbit", authors: ["J.R.R. Tolkien"], year: 1937),
            Title(
                isbn: try ISBN("9780441013593"), title: "Dune", authors: ["Frank Herbert"], year: 1965,
                recommended: true),
            Title(
                isbn: try ISBN("9780141439518"), title: "Pride and Prejudice", authors: ["Jane Austen"], year: 1813),
        ]
        let barcodes = [["1001", "1002"], ["1003", "1004"], ["1005"], ["1006"]]
        try desk.write { session in
            for (title, barcodes) in zip(titles, barcodes) {
                let added = try #require(session.catalogue.add(title).value)
                _ = try #require(
                    session.catalogue.addCopies(of: .id(added.id), count: barcodes.count, barcodes: barcodes).value)
            }
        }
    }

    private func patrons() throws {
        try desk.write { session in
            for patron in [
                Patron(
                    username: "ada", name: "Ada", surname: "Lovelace", category: "undergraduate", homeBranch: "main"),
                Patron(username: "bob", name: "Bob", surname: "Noyce", category: "undergraduate", homeBranch: "main"),
                Patron(username: "carol", name: "Carol", surname: "Shaw", category: "staff", homeBranch: "main"),
            ] { _ = try #require(session.patrons.add(patron).value) }
        }
    }

    private func loans() throws {
        for (moment, patron, barcode) in [
            ("2026-12-20T10:00:00Z", "ada", "1005"), ("2026-12-01T10:00:00Z", "carol", "1003"),
            ("2026-12-18T10:00:00Z", "ada", "1004"),
        ] {
            clock.set(try Instant(parsing: moment))
            try desk.write { session in
                let request = CheckoutRequest(patron: .username(patron), wanted: .barcode(barcode))
                _ = try #require(session.loans.checkout(request).value)
            }
        }
    }
}

/// Knows no books; what the sample keeps was told by others.
struct SampleBookData: BookDataSource {
    let days: Int64 = 30

    func find(_ isbn: ISBN) throws(BookDataFailure) -> BookData { BookData() }
}

/// Takes no file for a picture.
struct SamplePictures: PictureWriter {
    func write(_ bytes: [UInt8]) throws(PictureFault) -> WrittenPicture { throw .unknown }
}

/// A server that has bad weather for everybody.
struct SampleServers: RequestSender {
    let hostsOfScripts: Set = ["https://api.example.org:443"]
    let timeLimit = Duration.zero

    func fault(of address: WebAddress, for purpose: RequestPurpose) -> String? { nil }
    func fault(of answer: WebAnswer, to call: WebCall) -> DeliveryFault? { nil }
    func send(_ call: WebCall, for purpose: RequestPurpose) -> Result<WebAnswer, DeliveryFault> {
        .success(WebAnswer(status: 200, body: Array(#"{"state":"storm"}"#.utf8)))
    }
}
