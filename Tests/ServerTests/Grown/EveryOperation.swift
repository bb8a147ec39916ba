import Circulation
import Desk
import DeskSupport
import Foundation
import Interchange
import Market
import Pictures
import Scripting
import Server
import Storage
import Testing
import TextFormats

/// What the program does with a store, for the statements that it takes: the functions of the API with each of their arguments,
/// pages, routes, the sweep, exports and imports.
struct EveryOperation {
    private let server: TestServer
    private let context: ScriptContext
    /// The functions that did what they were called for at least once, neither refused nor at fault.
    private(set) var carriedOut: Set<String> = []

    init(_ store: any Store) throws {
        server = try TestServer(writer: AnyPicture(), store: store)
        context = try ScriptContext(
            desk: server.desk, clock: { [clock = server.clock] in clock.now() }, output: RecordedOutput(),
            permissions: .interactive(granted: Set(Capability.grantable)), machine: nil)
    }

    mutating func perform() async throws {
        try await furnish()
        try callFunctions()
        try await goThroughRoutes()
        try await goThroughPages()
        try doChores()
    }

    // MARK: - Something of everything

    private func furnish() async throws {
        for (path, body, name) in [
            ("/loans", ["isbn": "9780441013593"], "bob"),
            ("/holds", ["isbn": "9780441013593"], "ann"),
            ("/listings", ["isbn": "9780441013593", "kind": "sell", "price": "1", "quantity": 3], "bob"),
            ("/listings", ["isbn": "9780441013593", "kind": "rent", "price": "1", "period": "P1W"], "bob"),
            ("/messages", ["listing": 1, "text": "Is it still there?"], "ann"),
            ("/messages", ["conversation": 1, "text": "It is."], "bob"),
            ("/conversations/1/read", ["patron": "me"], "ann"),
            ("/listings/1/buy", ["quantity": 1], "ann"),
            ("/listings/2/rent", ["ends_on": "2026-03-09"], "ann"),
            ("/suggestions", ["name": "Solaris", "authors": ["Lem"]], "ann"),
            ("/patrons/me/favourites", ["title": "9780141439587"], "ann"),
            ("/patrons/me/cart", ["title": "9780141439587", "kind": "borrow"], "ann"),
            ("/patrons/me/lists", ["name": "To read", "is_public": true], "ann"),
            ("/patrons/me/lists", ["name": "For the seminar"], "ann"),
            ("/patrons/me/lists/1/titles", ["title": "9780141439587"], "ann"),
            ("/notifications", ["patron": "ann", "subject": "News", "body": "Body", "key": "k"], "staff"),
            (
                "/notifications", ["patron": "ann", "channel": "email", "subject": "News", "body": "B", "key": "m"],
                "staff"
            ),
            ("/patrons/ann/links", ["other": "bob", "kind": "guardian"], "staff"),
            ("/patrons/ann/links", ["other": "staff", "kind": "household"], "staff"),
            ("/patrons/root/charges", ["amount": "2.00", "label": "Card"], "staff"),
            ("/patrons/ann/blocks", ["kind": "note", "reason": "Look"], "staff"),
        ] as [(String, JSON, String)] {
            _ = try await server.ask(.post, path, body, as: name)
        }
        for name in ["bob", "ann"] {
            for title in 1...3 {
                _ = try await server.ask(.put, "/titles/\(title)/rating", ["stars": 4, "review": "Good"], as: name)
                _ = try await server.ask(
                    .post, "/patrons/me/lists/1/titles", ["title": .integer(Int64(title))], as: name)
            }
        }
    }

    // MARK: - Functions of the API

    /// Calls each function with its required arguments, with each of the others in turn and with all of them, and undoes what
    /// it did.
    private mutating func callFunctions() throws {
        for function in LuaAPI.modules.flatMap(\.functions) where !Self.needsLua.contains(function.fullName) {
            let members = function.ownMembers + function.changes
            let required = members.filter(\.isRequired)
            var tries: [[(APIParameter, JSON)]] = []
            func add(_ parameters: [APIParameter]) { tries.append(parameters.map { ($0, Self.value($0)) }) }
            add(required)
            add(members)
            for parameter in members {
                let others = required.filter { $0.name != parameter.name }.map { ($0, Self.value($0)) }
                tries += Self.values(parameter).map { others + [(parameter, $0)] }
            }
            for values in tries { try call(function, values) }
        }
    }

    /// Functions that work on functions, or end the script.
    private static let needsLua: Set<String> = ["store.transaction", "progress", "help", "sleep"]

    private mutating func call(_ function: APIFunction, _ values: [(APIParameter, JSON)]) throws {
        var object = JSONObject()
        for (parameter, value) in values { object[parameter.name] = value }
        // A call that is refused or at fault has asked the store what it asks before it says so.
        let answer = try? context.rehearsing { _ in
            try context.call(function, APIMembers(others: object), limit: 600)
        }
        switch answer {
        case .none, .refused: break
        case .some: carriedOut.insert(function.fullName)
        }
    }

    private static func values(_ parameter: APIParameter) -> [JSON] {
        if case .choice(let words) = parameter.type.inner { return words.map { .string($0) } }
        if case .boolean = parameter.type.inner { return [true, false] }
        return [value(parameter)]
    }

    private static func value(_ parameter: APIParameter) -> JSON {
        switch parameter.name {
        case "isbn": "9780141182803"
        case "item": "9780141439587"
        case "key", "request": "another"
        default: value(of: parameter.type)
        }
    }

    private static func value(of type: APIType) -> JSON {
        switch type {
        case .any, .text: "dune"
        case .boolean: true
        case .integer(let range): .integer(range.contains(2) ? 2 : range.lowerBound)
        case .number: 2
        case .choice(let words): words.first.map { .string($0) } ?? .null
        case .event: "loan.made"
        case .date: "2026-03-05"
        case .instant: "2026-03-05T09:00:00Z"
        case .money: "1.00"
        case .percent: "10 %"
        case .period: "P7D"
        case .json, .fields: ["a": 1]
        case .list(let element): [value(of: element)]
        case .reference(let kind): reference(kind)
        case .optional(let inner): value(of: inner)
        case .function, .iterator, .record: .null
        }
    }

    private static func reference(_ kind: APIReference) -> JSON {
        switch kind {
        case .branch: "main"
        case .category: "undergraduate"
        case .itemType: "book"
        // That which was added.
        case .location: "dune"
        case .notice: 2
        default: 1
        }
    }

    // MARK: - Requests

    private func goThroughRoutes() async throws {
        for name in ["ann", "staff", "root"] {
            for route in RouteTable.all where route.verb == .get {
                let path = route.path.replacing(#/\{patron\}/#, with: "me").replacing(#/\{branch\}/#, with: "main")
                    .replacing(#/\{\w+\}/#, with: "1")
                _ = try await server.ask(route.verb, path, as: name)
            }
        }
    }

    private func goThroughPages() async throws {
        for name in ["ann", "staff"] {
            let browser = PageBrowser(server)
            try await browser.logIn(name)
            for path in [
                "/", "/search?text=dune", "/search?text=dune&sort=year", "/titles/1", "/market", "/market?text=dune",
                "/market?seller=bob", "/market?course=x", "/market?college=x", "/market?kind=rent", "/market?page=2",
                "/market/1", "/market/2", "/cart", "/me", "/me/history", "/me/notifications", "/me/favourites",
                "/me/lists", "/lists/1", "/lists/1/titles.csv", "/titles/1/reviews", "/titles/1/reviews?page=2",
                "/me/listings", "/me/listings/1", "/me/rentals", "/me/orders", "/me/suggestions", "/me/messages",
                "/me/messages?page=2", "/me/messages/1", "/me/details",
                "/me/access", "/me/leave", "/desk", "/desk?patron=ann", "/desk?id=1", "/desk/returns", "/desk/patrons",
                "/desk/patrons?text=smith", "/desk/patrons/1", "/desk/suggestions", "/desk/reports", "/desk/policy",
                "/desk/titles?query=dune", "/desk/titles/1", "/desk/holds", "/desk/holds?branch=", "/desk/holds/pull",
                "/desk/overdue", "/desk/overdue?page=2", "/desk/cash", "/desk/notices", "/desk/patrons/1/merge",
                "/desk/duplicates", "/desk/duplicates?after=born:1:100", "/desk/duplicates?after=email:1:a@example.org",
                "/desk/patrons/1/receipt", "/desk/patrons/1/loans",
            ] {
                try await browser.open(path)
            }
        }
    }

    // MARK: - Chores

    /// Fields of the library's own that name patrons and titles, of all that have fields.
    private static let references = CustomField.Owner.allCases.flatMap { owner in
        [CustomField(owner, "kin", .patron), CustomField(owner, "follows", .title)]
    }

    /// Has the fields declared, and looks for the records that name what goes.
    private func findReferences() throws {
        let files = [PolicyBundle.File(name: "plugin.lua", source: "")]
        let candidate = PluginCandidate(
            bundle: PolicyBundle(sha256: PolicyBundle.digest(of: files), files: files), name: "kinship", version: "1",
            needs: [], settings: [:], fields: Self.references)
        #expect(try server.desk.write { try $0.plugins.use(candidate, allowing: []) }.refusal == nil)
        try server.desk.read { session in
            for field in Self.references {
                let holders = try session.transaction.customFields.holders(of: field, id: 1)
                #expect(holders == [])
            }
        }
    }

    /// Keeps pictures, looks at them, and lets go of some.
    private func keepPictures() throws {
        let desk = server.desk
        for byte: UInt8 in 1...2 {
            #expect(try desk.setCover(of: .id(1), to: [byte]).value != nil)
            #expect(try desk.addPicture([byte], to: 1).value != nil)
        }
        let name = try #require(try desk.read { try $0.market.get(1)?.pictures.first })
        #expect(try desk.read { try $0.catalogue.picture(name) } != nil)
        #expect(try desk.write { try $0.market.movePicture(name, of: 1, to: 2) }.value?.pictures.last == name)
        #expect(try desk.write { try $0.market.removePicture(name, of: 1) }.value?.pictures.count == 1)
        _ = try desk.read { try $0.transaction.orders.hasOpen(listing: 1) }
    }

    /// Counts each thing by whatever it can be split by, within a month where it has a time.
    private func countFigures() throws {
        let now = server.clock.now()
        let from = try now.adding(microseconds: -30 * 86_400_000_000)
        try server.desk.read { session in
            for measure in FigureMeasure.all {
                for rows in measure.dimensions {
                    let span = measure.isOfTime ? from : nil
                    _ = try session.statistics.figures(
                        FigureQuery(measure: measure, rows: rows), from: span, now: now, limit: 20)
                }
            }
        }
    }

    /// Sends notices of a patron as one message, at the second try.
    private func sendTogether() throws {
        let desk = server.desk
        try desk.write { session throws in
            #expect(try session.settings.setLibrary(gatheredKinds: [.overdue, .holdReady]).refusal == nil)
            let notices = [("overdue", "loan:1"), ("overdue", "loan:2"), ("hold_ready", "hold:1")].map { kind, key in
                Notice(
                    kind: kind, subjectKey: key, patron: 1, loan: key == "loan:1" ? 1 : nil, stage: "together",
                    channel: "email", subject: "S", body: "B", createdAt: session.now)
            }
            #expect(try session.notices.record(notices).count == 3)
        }
        _ = try desk.deliver(by: Absorber(outcome: .failed(DeliveryFault("temporary", "Later."))))
        _ = try desk.read { try $0.notices.due(limit: 20) }
        server.clock.set(try server.clock.now().adding(seconds: 3_600))
        #expect(try desk.deliver(by: Absorber()).sentTogether == 3)
    }

    private func doChores() throws {
        let desk = server.desk
        try sendTogether()
        try findReferences()
        try keepPictures()
        try countFigures()
        _ = try desk.deliver(by: Absorber())
        try desk.write { session in
            try session.jobs.tick()
            try session.jobs.removeOld()
        }
        try desk.read { session in
            _ = (try session.notices.due(limit: 20), try session.notices.failed(limit: 20))
            for state in JobRun.State.allCases { _ = try session.jobs.list(in: state, limit: 20) }
            _ = (try session.jobs.list(of: "Nightly", limit: 20), try session.jobs.list(limit: 20))
            _ = (try session.jobs.hasUnfinished(), try session.jobs.hasMail(at: server.clock.now()))
            _ = (try session.plugins.list(), try session.plugins.failureCount(of: "tally"))
            _ = (try session.plugins.history(of: "tally"), try session.plugins.asked("tally"))
            let patron = try session.transaction.facts.patron(1, now: session.now, today: .earliest)
            _ = try patron.map { try session.transaction.facts.linked(to: $0, now: session.now) }
            _ = try session.plugins.values(of: "tally", after: "a", limit: 20)
            let hold = HoldFacts(category: "patron", pickupBranch: "main", placedAt: server.clock.now())
            _ = try session.transaction.facts.holdCounts(patron: 1, of: ["book"], but: hold, title: 1)
            _ = (try session.plugins.value("a", of: "tally"), try session.plugins.values(about: 1))
        }
        server.clock.set(try Instant(parsing: "2026-04-20T09:00:00Z"))
        _ = try desk.sweep()
        var text: [UInt8] = []
        try desk.read { session in try Exporter(session: session) { text += $0 }.json(.all) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "every-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let whole = folder.appending(path: "whole.json").path(percentEncoded: false)
        try Data(text).write(to: URL(filePath: whole))
        let rows = folder.appending(path: "titles.csv").path(percentEncoded: false)
        try Data("title,authors,year\nSolaris,Stanislaw Lem,1961\nSolaris,Stanislaw Lem,1961\n".utf8)
            .write(to: URL(filePath: rows))
        let importer = Importer(desk: desk, options: ImportOptions(), tally: try RowCounter())
        _ = try importer.run(paths: [whole, rows])
        _ = try server.accounts.logIn("ann", password: TestServer.password)
    }
}

/// Takes every file for a picture.
private struct AnyPicture: PictureWriter {
    func write(_ bytes: [UInt8]) throws(PictureFault) -> WrittenPicture {
        let image = WrittenPicture.Image(width: 1, height: 1, bytes: [0xFF, 0xD8, 0xFF] + bytes + [0xFF, 0xD9])
        return WrittenPicture(whole: image, small: image)
    }
}

/// Takes every message.
private struct Absorber: Delivery {
    var outcome = DeliveryOutcome.delivered
    let channels: Set<String> = ["email"]
    let timeLimit = Duration.seconds(1)
    func messagesAMinute(by channel: String) -> Int? { 1_000 }
    func deliver(_ consignment: Consignment) -> DeliveryOutcome { outcome }
}

extension APIType {
    fileprivate var inner: APIType { if case .optional(let inner) = self { inner.inner } else { self } }
}
