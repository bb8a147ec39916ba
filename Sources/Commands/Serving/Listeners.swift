import Circulation
import Secrets
import Server

/// The ways in that a server has: HTTP, BitBooks' line protocol, or both.
struct Listeners: Sendable {
    let settings: ServingSettings
    let services: Services
    let teller: ServingTeller

    /// Serves until its task is cancelled, or one of the ways cannot be had.
    ///
    /// - Throws: `ListeningFailure`.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await serve() }
            group.addTask { try await services.keepRanking() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func serve() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let place = settings.http { group.addTask { try await serveHTTP(at: place) } }
            if let place = settings.bitbooks { group.addTask { try await serveBitBooks(at: place) } }
            defer { group.cancelAll() }
            for try await _ in group {}
        }
    }

    private func serveHTTP(at place: ListeningPlace) async throws {
        let server = WebServer(WebResponder(services), settings: services.settings, host: place.host, port: place.port)
        try await server.run { [teller] port in
            let address = "http://\(ListeningPlace(host: place.host, port: port))"
            teller.say("Listening at \(address)")
            guard let token = services.settings.setUpToken else { return }
            let url = settings.hasURL ? services.settings.url : address
            teller.say("Nobody has an account yet. Set the library up at \(url)/set-up?token=\(token.text)")
        }
    }

    private func serveBitBooks(at place: ListeningPlace) async throws {
        var line = LineProtocolSettings()
        line.host = place.host
        line.port = place.port
        line.isOpen = settings.isOpenForBitBooks
        line.takesSignUps = services.settings.allowsSignUp
        line.category = services.settings.category
        let server = BitBooksServer(
            desk: services.desk, accounts: services.accounts, lanes: services.lanes, settings: line,
            report: { [teller] fault in teller.fault("\(fault)") })
        try await server.run { [teller] _, port in
            teller.say("Listening for BitBooks at \(ListeningPlace(host: place.host, port: port))")
        }
    }
}
