import Circulation
import Desk
import Market
import Scripting
import Server
import Testing
import TextFormats

/// Every route, asked by staff about a patron's account and about an administrator's.
@Suite("Whose accounts routes change")
struct AccountRouteTests {
    private struct Things {
        var block: Int64 = 0
        var favourite: Int64 = 0
        var notice: Int64 = 0
    }

    /// A server on which everybody has a block, a favourite and a message that waits.
    private func library() throws -> (TestServer, [String: Things]) {
        let server = try TestServer()
        var things: [String: Things] = [:]
        for name in ["ann", "root"] {
            let key = PatronKey.username(name)
            try server.desk.write { session in
                things[name] = Things(
                    block: try #require(session.patrons.block(key, kind: "card").value).id,
                    favourite: try #require(session.favourites.add(.title(.id(2)), of: key).value).id,
                    notice: try #require(
                        session.notices.send(to: key, channel: "email", subject: "News", body: "", key: "news").value
                    ).id)
            }
        }
        return (server, things)
    }

    private func value(of type: APIType, _ name: String, _ things: Things) -> JSON {
        switch type {
        case .boolean: true
        case .integer(let range): .integer(max(range.lowerBound, min(range.upperBound, 1)))
        case .number: 1
        case .choice(let words): .string(words.first ?? "")
        case .event: "loan.made"
        case .date, .instant: "2027-06-01"
        case .money: "1.00"
        case .period: "P7D"
        case .json, .any: ["a": 1]
        case .list(let element): .array([value(of: element, name, things)])
        case .reference(.patron): .string(name)
        case .reference(.block): .integer(things.block)
        case .reference(.favourite): .integer(things.favourite)
        case .reference(.notice): .integer(things.notice)
        case .reference(.branch): "main"
        case .reference(.category): "staff"
        case .reference(.itemType): "book"
        case .reference(.copy): "1"
        case .reference, .percent: .integer(1)
        case .optional(let inner): value(of: inner, name, things)
        case .text: name == "email" ? "brand@new.example" : "brand new words"
        case .function, .iterator, .record, .fields: [:]
        }
    }

    /// A patron's account, as text, after a request on a server of its own.
    private func ask(
        _ route: Route, about name: String, adding extra: APIParameter?, by caller: String
    ) async throws -> (before: String, after: String, status: Int) {
        let (server, things) = try library()
        let own = things[name] ?? Things()
        let id = try server.id(of: name)
        var path = route.path
        for parameter in route.pathParameters {
            let isPerson = parameter.type == .reference(.patron)
            let text =
                isPerson
                ? "\(id)"
                : value(of: parameter.type, name, own).stringValue
                    ?? value(of: parameter.type, name, own).text()
            path = path.replacing("{\(parameter.name)}", with: text)
        }
        var body = JSONObject()
        for parameter in route.otherParameters where route.isRequired(parameter) || parameter == extra {
            // Of two patrons in one request, the other one is not the caller.
            let isSecond = parameter.type == .reference(.patron) && route.path.contains("{into}")
            body[parameter.name] = isSecond ? "bob" : value(of: parameter.type, name, own)
        }
        func account() throws -> String {
            try server.desk.read { session in
                try """
                \(session.patrons.get(.id(id)).map { "\($0)" } ?? "gone")
                \(session.patrons.blocks(of: .id(id)).map { "\($0.id) \($0.reason) \($0.liftedAt as Any)" })
                \(session.favourites.list(of: .id(id)))
                \(session.notices.list(NoticeQuery(patron: id)).filter { $0.subject == "News" })
                \(session.events.list(EventQuery(patron: id, limit: 1_000))
                        .filter { $0.kind == "account.changed" }.count)
                """
            }
        }
        let before = try account()
        let answer = try await server.ask(
            route.verb, path, route.takesBody ? .object(body) : nil,
            fields: [
                (name: "authorization", value: "Bearer \(try server.freshToken(of: caller))")
            ])
        #expect(answer.status < 500, "\(route.name): \(answer.text)")
        return (before, try account(), answer.status)
    }

    @Test("what staff change of a patron's account they are refused of an administrator's, whichever route they ask by")
    func staff() async throws {
        var guarded: Set<String> = []
        for route in RouteTable.all where route.verb != .get {
            for extra in [nil] + route.otherParameters.filter({ !route.isRequired($0) }).map(Optional.some) {
                let high = try await ask(route, about: "root", adding: extra, by: "staff")
                #expect(high.before == high.after, "\(route.name) \(extra?.name ?? "")")
                let plain = try await ask(route, about: "ann", adding: extra, by: "staff")
                guard plain.before != plain.after else { continue }
                #expect(high.status == 403, "\(route.name) \(extra?.name ?? "")")
                guarded.insert(route.name)
            }
        }
        let expected: Set = [
            "patch /patrons/{patron}", "delete /patrons/{patron}", "post /patrons/{into}/merge",
            "post /patrons/{patron}/favourites", "delete /patrons/{patron}/favourites/{favourite}",
            "post /patrons/{patron}/blocks", "post /patrons/{patron}/unblock", "post /notifications/{notice}/read",
            "post /notifications/{notice}/cancel", "post /patrons/{patron}/password",
        ]
        #expect(expected.subtracting(guarded).isEmpty, "\(expected.subtracting(guarded))")
    }

    @Test(
        "staff get at no administrator by a new e-mail and a forgotten password, nor by merging one of their own into them"
    )
    func takeover() async throws {
        let server = try TestServer()
        let root = try server.id(of: "root")
        let changed = try await server.ask(.patch, "/patrons/\(root)", ["email": "mine@example.org"], as: "staff")
        #expect(changed.status == 403 && changed.json["code"] == "not_allowed", "\(changed.text)")
        let own = try await server.ask(.post, "/patrons", ["username": "mine"], as: "staff")
        #expect(own.status == 201)
        for (from, into) in [("mine", "root"), ("root", "mine"), ("staff", "root")] {
            let merged = try await server.ask(
                .post, "/patrons/\(try server.id(of: into))/merge", ["from": .string(from)], as: "staff")
            #expect(merged.status == 403, "\(from) into \(into): \(merged.text)")
        }
        #expect(try await server.ask(.get, "/sessions", as: "root").status == 200)
        let both = try await server.ask(
            .post, "/patrons/\(try server.id(of: "bob"))/merge", ["from": "ann"], as: "staff")
        #expect(both.status == 200, "both have passwords: \(both.text)")
        #expect(server.teller.all.faults == [])
    }
}
