import Foundation
import Testing

/// The sample library with months of circulation, holds, a market, carts and a notice that failed; made once for all who read it.
enum FilledLibrary {
    /// When reports about it are made.
    static let now = "2027-02-10T10:00:00Z"

    /// The folder of the store.
    ///
    /// - Throws: an issue if a command of its making fails.
    static func folder() throws -> URL { try made.get() }

    private static let made = {
        atexit { try? FileManager.default.removeItem(at: FilledLibrary.place) }
        return Result { try make(place) }
    }()

    private static let place = FileManager.default.temporaryDirectory.appending(
        path: "moonshelf-filled-\(UUID().uuidString)")

    private static func make(_ folder: URL) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let command = BuiltCommand(folder: folder)
        func run(_ arguments: String...) throws {
            let result = try command.run(arguments)
            try #require(result.status == 0, "\(arguments): \(result)")
        }
        try run(
            "--now", "2026-12-22T18:00:00Z", "init", "--sample", "--history", "2026-10-01..2026-12-22",
            "--data", BuiltCommand.root.appending(path: "data").path(percentEncoded: false))
        try Data(activity.utf8).write(to: folder.appending(path: "activity.lua"))
        let granted = "loans.write,cart.write,market.write,fees.write,catalogue.write"
        try run("--now", "2026-12-22T19:00:00Z", "run", "--allow", granted, "activity.lua")
        try Data(failed.utf8).write(to: folder.appending(path: "failed.jsonl"))
        try run("--now", "2026-12-22T20:00:00Z", "import", "failed.jsonl")
        return folder
    }

    private static let activity = """
        needs { "loans.write", "cart.write", "market.write", "fees.write", "catalogue.write" }
        local titles = catalogue.search { available = true, limit = 8 }
        for _, copy in ipairs(catalogue.copies(titles[1])) do catalogue.withdraw_copy(copy.barcode) end
        catalogue.update(titles[2], { subjects = { "Ancient history", "Rome" } })
        catalogue.update(titles[3], { subjects = { "Ancient history" } })
        assert(holds.place { patron = "bo.muller", title = titles[4] })
        local book = assert(market.publish { seller = "bo.muller", title = titles[2], kind = "sell", price = "7.50", quantity = 3 })
        local loaned = assert(market.publish { title = titles[3], kind = "rent", price = "1.25", period = days(7) })
        assert(market.buy { patron = "bo.hollis", listing = book })
        assert(market.rent { patron = "bo.hollis", listing = loaned, ends_on = date "2027-01-07" })
        assert(cart.add { patron = "bo.hollis", title = titles[5] })
        assert(cart.add { patron = "bo.hollis", listing = book, quantity = 2 })
        """

    private static let failed = """
        {"moonshelf":{"version":2}}
        {"notice":{"id":9001,"kind":"overdue","subject_key":"test:1","username":"bo.muller","stage":"first","channel":"email",\
        "subject":"Overdue","body":"Please return it.","state":"failed","created_at":"2026-12-20T15:00:00Z","tries":5}}
        {"notice":{"id":9002,"kind":"hold_ready","subject_key":"test:2","username":"bo.hollis","stage":"","channel":"sms",\
        "subject":"Ready","body":"It waits.","state":"failed","created_at":"2026-12-21T15:00:00Z","tries":3}}

        """
}
