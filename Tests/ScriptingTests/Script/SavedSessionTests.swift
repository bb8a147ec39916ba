import Circulation
import Desk
import LineEditing
import Scripting
import Terminal
import TestSupport
import Testing

@Suite("A session as a script")
struct SavedSessionTests {
    /// Lines as people type them: what works, what is refused, what fails, and what Lua reads only in a session.
    private static let lines = [
        "1 + 1", "=1 + 1", "= 'a', nil, 'b' -- three", "6 * 7 -- the answer", "1;", "-- nothing", "--[[ two\nlines ]]",
        "x = 1", "x = x + 1", "x, y = 1, 2", "x", "y", "_ .. ''", "_1", "local x = 5 print(x)",
        "local function x() end",
        "function f(a) return a end", "f(3)", "f", "return 5", "if x then return x end", "do return end",
        "(f or print)(1)", "(print)('a')", "::again:: y = 2", "goto done ::done::", "for i = 1, 2 do x = i end",
        "error('no')", "x = 1 error('no')", "t = {} error('no')", "t = {}", "t.a = 1", "t.a", "undefined", "x.y.z",
        "x = undefined", "1 +", "x ==", ")", "'it''s'", "patrons.get('nobody')", "patrons.get('ada').username",
        "patrons.add{ username = 'new', name = 'New' }", "p = patrons.add{ username = 'other' }", "p.username",
        "assert(patrons.add{ username = 'ada' })", "patrons.add{ username = 'ada' }",
        "patrons.update('ada', { name = 'A' })",
        "loans.checkout{ patron = 'nobody', isbn = '9780441013593' }",
        "fees.charge{ patron = 'bob', amount = money '1' }",
        "c = fees; c.charge{ patron = 'bob', amount = money '2' }", "store.transaction(function() return 1 end)",
        "store.transaction(function() patrons.add{ username = 'gone' } error('no') end)", "needs { 'patrons.write' }",
        "needs { 'nonsense' }", "...", "print(...)", "'a\\\nb'", "[[\n]]", "x = [==[\n--]]]==]", "today()", "_ENV = {}",
        "for title in catalogue.each{} do x = title.id end", "setmetatable({}, {})", "'\u{201C}'",
        "print 'x'; print 'y'",
        ":now 2026-12-24", ":now", ":format json", "nil", "nil, { code = 'own', message = 'Own' }",
    ]

    /// Types lines as somebody at a terminal does, who goes on after a failure.
    private final class Typed: LineSource {
        private var lines: [String]

        init(_ lines: [String]) { self.lines = lines.reversed() }

        func next(prompt: String, idleLimit: Int32?) -> LineInput { lines.popLast().map { .line($0) } ?? .end }
    }

    private func session(_ lines: [String], in sample: APISample) throws -> SavedSession.Script {
        let evaluator = try sample.evaluator()
        let screen = ReplScreen(width: { nil }, usesColour: false, write: { _ in }, complain: { _ in })
        let repl = Repl(evaluator: evaluator, screen: screen, store: ReplStore(address: "a", name: "a"))
        // What is not complete waits for more, which an empty statement ends.
        _ = repl.run(lines: Typed(lines.flatMap { $0.split(separator: "\n").map(String.init) }), isInteractive: true)
        return repl.session.script(parses: evaluator.parses)
    }

    private func run(_ script: String, in sample: APISample) -> ScriptResult {
        sample.runner().run(
            ScriptSource(text: script, name: "saved.lua"),
            options: ScriptOptions(granted: Set(Capability.grantable), grantsCountAsDeclared: false))
    }

    /// What a library came to.
    private func state(_ sample: APISample) throws -> [String] {
        try sample.desk.read { session in
            var words: [String] = []
            try session.patrons.each { patron in
                words.append("\(patron.username) \(patron.name) \(try session.fees.owed(by: .id(patron.id)))")
                return true
            }
            return words
        }
    }

    @Test("is read by Lua, runs, and does what the session did", arguments: [UInt64](1...120))
    func property(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let count = Int.random(in: 1...14, using: &random)
        let lines = (0..<count).compactMap { _ in Self.lines.randomElement(using: &random) }
        let first = try APISample()
        let script = try session(lines, in: first)
        guard script.kept > 0 else { return }
        let second = try APISample()
        let result = run(script.text, in: second)
        #expect(result.failure == nil, "\(lines)\n\(script.text)\n\(String(describing: result.failure))")
        #expect(try state(second) == state(first), "\(lines)\n\(script.text)")
    }

    @Test("each line alone is read by Lua and runs, or stands there as a comment", arguments: lines)
    func alone(line: String) throws {
        let script = try session([line, "x = 7"], in: try APISample())
        let result = run(script.text, in: try APISample())
        #expect(result.failure == nil, "\(script.text)\n\(String(describing: result.failure))")
    }

    @Test("what was refused and what failed are comments that say so")
    func comments() throws {
        let script = try session(
            ["patrons.add{ username = 'ada' }", "x = 1 error('no')", "x + 1", "2"], in: try APISample())
        #expect(
            script.text == """
                -- refused:
                -- patrons.add{ username = 'ada' }
                -- failed:
                -- x = 1 error('no')
                -- left out, since 'x' has its value from what was left out:
                -- x + 1
                print(2)

                """)
        #expect(script.kept == 1 && script.leftOut == 3)
    }
}
