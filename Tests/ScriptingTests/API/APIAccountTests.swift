import Circulation
import Desk
import Market
import Scripting
import Secrets
import Testing

/// Every function of the API, called for accounts above and beside the caller's, by its declaration.
@Suite("Whose accounts functions of the API change")
struct APIAccountTests {
    /// A sample with somebody of each role, none of whom has a loan: each has a block, a favourite, a message that waits, a
    /// password, a session and a key.
    private struct People {
        let sample: APISample
        private(set) var ids: [String: Int64] = [:]
        private(set) var things: [String: (block: Int64, favourite: Int64, notice: Int64)] = [:]

        static let names = ["plain", "other", "clerk", "chief"]

        init() throws {
            sample = try APISample()
            let accounts = try AccountManager(sample.desk, cost: .least)
            for name in Self.names {
                let role: Patron.Role = ["clerk": .staff, "chief": .admin][name] ?? .patron
                let key = PatronKey.username(name)
                try sample.desk.write { session in
                    let added = try #require(
                        session.patrons.add(
                            Patron(
                                username: name, name: name.uppercased(), email: "\(name)@example.org",
                                category: "undergraduate", homeBranch: "main", role: role)
                        ).value)
                    let block = try #require(session.patrons.block(key, kind: "card").value)
                    let favourite = try #require(session.favourites.add(.title(.id(2)), of: key).value)
                    let notice = try #require(
                        session.notices.send(to: key, channel: "email", subject: "News", body: "News", key: "news")
                            .value)
                    ids[name] = added.id
                    things[name] = (block.id, favourite.id, notice.id)
                }
                _ = try #require(accounts.setPassword("a long enough password", of: key).value)
                _ = try #require(try accounts.logIn(name, password: "a long enough password", from: .console))
                _ = try #require(accounts.issueKey(to: key, AccountManager.KeyRequest(label: "shelf")).value)
            }
        }

        /// All that makes up somebody's account, as text.
        func account(of name: String, _ session: DeskSession) throws -> String {
            let id = try #require(ids[name])
            let own = EventQueryKinds.account
            return try """
            \(session.patrons.get(.id(id)).map { "\($0)" } ?? "gone")
            \(session.patrons.blocks(of: .id(id)).map { "\($0.id) \($0.reason) \($0.liftedAt as Any)" })
            \(session.favourites.list(of: .id(id)))
            \(session.notices.list(NoticeQuery(patron: id)).filter { $0.subject == "News" })
            \(AccessToken.Kind.allCases.map { try session.accounts.tokens(of: id, $0).map { "\($0.id) \($0.label)" } })
            \(session.events.list(EventQuery(patron: id, limit: 1_000)).filter { own.contains($0.kind) }.count)
            """
        }

        func evaluator(as name: String, _ role: ActorFacts.Role) throws -> ScriptEvaluator {
            let actor = Actor(
                name: "patron:\(try #require(ids[name]))", role: role, channel: role == .patron ? .web : .desk)
            return try ScriptEvaluator(
                desk: sample.desk.acting(as: actor), clock: sample.clock.now, output: sample.output,
                granted: Set(Capability.grantable))
        }
    }

    private enum EventQueryKinds {
        static let account: Set = [
            "patron.updated", "patron.removed", "patron.merged", "patron.blocked", "patron.unblocked",
            "account.changed",
        ]
    }

    /// Calls of a function that are about somebody: the arguments that it needs, each of the others added by turns, and each of
    /// several people by turns.
    private static func calls(_ function: APIFunction, about name: String, in people: People) -> [String] {
        let fields = function.namedArguments
        let members = fields ?? function.parameters
        let people = Arguments(target: name, people: people)
        let choices: [APIParameter?] = [nil] + members.filter { !$0.isRequired } + function.changes.map { $0 }
        return choices.flatMap { extra -> [String] in
            let count = members.filter { Arguments.isPerson($0.type) && ($0.isRequired || $0 == extra) }.count
            return (0..<max(1, count)).map { turn in
                var seen = -1
                let values = members.map { parameter -> String? in
                    guard parameter.isRequired || parameter == extra else { return nil }
                    if Arguments.isPerson(parameter.type) {
                        seen += 1
                        return seen == turn ? "\"\(name)\"" : "\"other\""
                    }
                    return people.value(of: parameter.type, inside: extra)
                }
                let written = zip(members, values)
                return fields != nil
                    ? "\(function.fullName){ "
                        + written.compactMap { pair in pair.1.map { "\(pair.0.name) = \($0)" } }
                        .joined(separator: ", ") + " }"
                    : "\(function.fullName)(" + written.map { $0.1 ?? "nil" }.joined(separator: ", ") + ")"
            }
        }
    }

    private struct Arguments {
        let target: String
        let people: People

        static func isPerson(_ type: APIType) -> Bool {
            switch type {
            case .reference(.patron): true
            case .optional(let inner): isPerson(inner)
            default: false
            }
        }

        func value(of type: APIType, inside extra: APIParameter?) -> String {
            let own = people.things[target] ?? (0, 0, 0)
            switch type {
            case .boolean: return "true"
            case .integer(let range): return "\(max(range.lowerBound, min(range.upperBound, 1)))"
            case .number: return "1"
            case .text: return "\"brand new words\""
            case .choice(let words): return "\"\(words.contains("patron") ? "patron" : words.first ?? "")\""
            case .event: return "\"loan.made\""
            case .date, .instant: return "date \"2027-06-01\""
            case .money: return "money \"1.00\""
            case .percent: return "percent \"5\""
            case .period: return "days(7)"
            case .json, .any: return "{ a = 1 }"
            case .function: return "function() return 1 end"
            case .iterator: return "catalogue.each{}"
            case .list(let element): return "{ \(value(of: element, inside: extra)) }"
            case .record: return "{}"
            case .reference(.patron): return "\"\(target)\""
            case .reference(.title): return "1"
            case .reference(.copy): return "\"1001\""
            case .reference(.branch): return "\"main\""
            case .reference(.category): return "\"staff\""
            case .reference(.itemType): return "\"book\""
            case .reference(.location): return "\"ref\""
            case .reference(.block): return "\(own.block)"
            case .reference(.favourite): return "\(own.favourite)"
            case .reference(.notice): return "\(own.notice)"
            case .reference: return "1"
            case .optional(let inner): return value(of: inner, inside: extra)
            case .fields(let fields):
                return "{ "
                    + fields.filter { $0.isRequired || $0 == extra }
                    .map { "\($0.name) = \(value(of: $0.type, inside: nil))" }.joined(separator: ", ") + " }"
            }
        }
    }

    /// What a call came to: whether it changed the account of whom it was about, and with which code it was refused.
    private func outcome(
        _ call: String, about name: String, as caller: String, _ role: ActorFacts.Role, in people: People
    ) throws -> (changed: Bool, code: String) {
        let evaluator = try people.evaluator(as: caller, role)
        return try evaluator.context.rehearsing { session in
            let before = try people.account(of: name, session)
            let code = APISample.text(
                of: evaluator.evaluate(
                    "local ok, done, no = pcall(function() return \(call) end) "
                        + "return not ok and 'error' or done == nil and type(no) == 'table' and no.code or 'done'"))
            return (try people.account(of: name, session) != before, code.replacing("\"", with: ""))
        }
    }

    private static var writing: [APIFunction] {
        LuaAPI.functions.filter { $0.capability.writes && $0.module != "store" }
    }

    @Test("whatever changes a patron's account by staff is refused for an administrator's and changes nothing of it")
    func staff() throws {
        let people = try People()
        var guarded: Set<String> = []
        for function in Self.writing {
            // The same calls, about each of them.
            let calls = zip(
                Self.calls(function, about: "plain", in: people), Self.calls(function, about: "chief", in: people))
            for (call, chief) in calls {
                let plain = try outcome(call, about: "plain", as: "clerk", .staff, in: people)
                let high = try outcome(chief, about: "chief", as: "clerk", .staff, in: people)
                #expect(!high.changed, "\(chief): \(high.code)")
                guard plain.changed else { continue }
                #expect(high.code == "not_allowed", "\(chief)")
                guarded.insert(function.fullName)
                let equal = try outcome(chief, about: "chief", as: "chief", .admin, in: people)
                #expect(equal.code != "not_allowed", "\(chief)")
            }
        }
        let expected: Set = [
            "patrons.update", "patrons.remove", "patrons.merge", "patrons.block", "patrons.unblock",
            "patrons.add_favourite", "patrons.remove_favourite", "patrons.set_password", "notifications.mark_read",
            "notifications.cancel",
        ]
        #expect(expected.subtracting(guarded).isEmpty, "changed nothing of anybody's: \(expected.subtracting(guarded))")
    }

    @Test("patrons change nothing that is another patron's, whatever function they call")
    func patrons() throws {
        let people = try People()
        var refused = 0
        for function in Self.writing {
            for call in Self.calls(function, about: "plain", in: people) where call.contains("\"plain\"") {
                let evaluator = try people.evaluator(as: "other", .patron)
                let kinds = try evaluator.context.rehearsing { session in
                    let before = try session.events.last()
                    _ = evaluator.evaluate("return pcall(function() return \(call) end)")
                    return try session.events.list(EventQuery(since: before, limit: 1_000)).map(\.kind)
                }
                #expect(kinds.allSatisfy { $0 == "request.refused" }, "\(call): \(kinds)")
                refused += kinds.count
                let told = try outcome(call, about: "plain", as: "other", .patron, in: people)
                #expect(!told.changed && told.code != "done", "\(call): \(told)")
            }
        }
        #expect(refused > 60)
    }

    @Test("programs of the machine's operator may do everything, as capabilities let them")
    func operators() throws {
        let people = try People()
        for call in [
            #"patrons.update("chief", { email = "new@example.org" })"#,
            #"patrons.block{ patron = "chief", kind = "x" }"#,
            #"patrons.merge{ from = "plain", into = "chief" }"#, #"patrons.set_password("chief", "another long one")"#,
            #"patrons.remove("clerk")"#,
        ] {
            let text = try people.sample.evaluate("return \(call) ~= nil")
            #expect(text == "true", "\(call): \(text)")
        }
    }
}
