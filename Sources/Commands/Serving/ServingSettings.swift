import Circulation
import Desk
import Foundation
import Server
import TOMLKit

/// Where a server listens and what it allows: the tables `[server]` and `[accounts]` of `moonshelf.toml`.
struct ServingSettings: Hashable, Sendable {
    /// Where HTTP is listened for, `HOST:PORT`.
    var http: ListeningPlace?
    /// Where BitBooks' line protocol is listened for.
    var bitbooks: ListeningPlace?
    /// Whether its clients may act for whom they name, as its own server let them.
    var isOpenForBitBooks = false
    var server = ServerSettings()
    /// Whether links begin with an address that the library gave.
    var hasURL = false
    var terms = AccountTerms()
    /// How much goes on at the desk at once.
    var threads = 32
    /// How much is shown at once to those who only look; nil: as much as there are processors for.
    var readers: Int?
    /// How much may wait for the desk.
    var mostWaiting = 500

    static let tables = ["server", "accounts"]

    init() {}

    /// - Throws: ``CommandFailure`` that names file, key and what was expected.
    init(_ file: ConfigurationFile) throws(CommandFailure) {
        let table = try file.table()
        if var section = try ConfigurationSection("server", of: table, file: file) {
            if let text = try section.text("http") { http = try Self.place(text, "http", section) }
            if let text = try section.text("bitbooks") { bitbooks = try Self.place(text, "bitbooks", section) }
            isOpenForBitBooks = try section.flag("bitbooks_open") ?? isOpenForBitBooks
            if let text = try section.text("url") {
                server.url = try Self.url(text, section)
                hasURL = true
            }
            threads = try section.number("threads", 1...64) ?? threads
            readers = try section.number("readers", 1...64) ?? readers
            mostWaiting = try section.number("most_waiting", 1...100_000) ?? mostWaiting
            server.mostBytes = try section.number("most_bytes", 1_024...(64 << 20)) ?? server.mostBytes
            server.burst = try section.number("burst", 1...1_000_000) ?? server.burst
            server.perSecond = try section.number("per_second", 1...1_000_000).map(Double.init) ?? server.perSecond
            server.seconds = try section.number("time_limit", 1...3_600) ?? server.seconds
            server.secondsToTake = try section.number("time_to_take", 1...86_400) ?? server.secondsToTake
            server.mostConnections = try section.number("connections", 1...1_000_000) ?? server.mostConnections
            server.mostConnectionsFromAddress =
                try section.number("connections_from_address", 1...1_000_000) ?? server.mostConnectionsFromAddress
            server.trustedProxies = try Self.ranges(try section.texts("trusted_proxies"), "trusted_proxies", section)
            server.scripts = try section.text("scripts")
            try section.finish()
        }
        if var section = try ConfigurationSection("accounts", of: table, file: file) {
            server.allowsSignUp = try section.flag("sign_up") ?? server.allowsSignUp
            server.category = try section.text("category")
            terms.shortestPassword =
                try section.number(
                    "shortest_password", AccountTerms.leastShortestPassword...128) ?? terms.shortestPassword
            terms.hoursOfSession = Int64(try section.number("session_hours", 1...8_760) ?? Int(terms.hoursOfSession))
            terms.minutesOfReset = Int64(try section.number("reset_minutes", 5...1_440) ?? Int(terms.minutesOfReset))
            try section.finish()
        }
    }

    private static func place(
        _ text: String, _ key: String, _ section: ConfigurationSection
    ) throws(CommandFailure) -> ListeningPlace {
        guard let place = ListeningPlace(text) else {
            throw section.fault(key, "must be an address and a port, such as \"127.0.0.1:8080\"")
        }
        return place
    }

    private static func ranges(
        _ texts: [String], _ key: String, _ section: ConfigurationSection
    ) throws(CommandFailure) -> [AddressRange] {
        var ranges: [AddressRange] = []
        for text in texts {
            guard let range = AddressRange(text) else {
                throw section.fault(
                    key,
                    "has '\(text)' in it, and must have addresses such as \"10.0.0.7\" or \"2001:db8::7\", or ranges of "
                        + "them such as \"10.0.0.0/8\", without names and ports", near: text)
            }
            ranges.append(range)
        }
        return ranges
    }

    private static func url(_ text: String, _ section: ConfigurationSection) throws(CommandFailure) -> String {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host?.isEmpty == false,
            url.query == nil, url.fragment == nil, url.user == nil
        else {
            throw section.fault("url", "must be the address people reach it at, such as \"https://books.example.org\"")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}

/// A host and a port: `127.0.0.1:8080`, `[::1]:8080`.
struct ListeningPlace: Hashable, Sendable, CustomStringConvertible {
    let host: String
    let port: Int

    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port)
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("[") && host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.host = host
        self.port = port
    }

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The standard place: this machine alone.
    static let standard = ListeningPlace(host: "127.0.0.1", port: 8_080)

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
