import LuaRuntime
import LuaSyntax
import TestSupport
import Testing

@Suite("What is looked at before Lua compiles is read as Lua reads it")
struct GuardedSourceTests {
    /// What the guard says against a source; nil: it is loaded.
    private func refusal(_ source: [UInt8], by state: LuaState) throws -> LuaError? {
        let environment = try state.makeEnvironment()
        do throws(LuaError) {
            _ = try state.load(source, chunk: "x", environment: environment)
            return nil
        } catch {
            return error
        }
    }

    private static let forbidden = "the name '_ENV' is not available here"

    @Test(
        "a name is found behind a comment, whatever ends its line",
        arguments: ["\n", "\r", "\r\n", "\n\r"], ["-- x", "--[ x", "--[==x", "#!/usr/bin/moonshelf"])
    func comment(end: String, comment: String) throws {
        let state = try LuaState(profile: .script, limits: .none)
        let error = try #require(try refusal(Array("\(comment)\(end)local e = _ENV".utf8), by: state))
        #expect(error.message == Self.forbidden)
        #expect(error.line == 2)
    }

    @Test(
        "chains that Lua would follow to the end of the stack are refused, however they are nested",
        arguments: [
            "x" + String(repeating: ".y", count: 20_000),
            "(" + String(repeating: "x[", count: 30) + "k"
                + String(repeating: "]" + String(repeating: ".y", count: 200), count: 30) + ")",
            String(repeating: "(", count: 150) + "x" + String(repeating: ".y.y.y)", count: 150),
            "x" + String(repeating: "[1]", count: 20_000), "x" + String(repeating: ":m()", count: 20_000),
            "f{" + String(repeating: "x.y", count: 1) + String(repeating: ".y", count: 500) + "}",
        ])
    func chains(expression: String) throws {
        let state = try LuaState(profile: .script, limits: .none)
        let error = try #require(try refusal(Array("return \(expression) + 1".utf8), by: state))
        #expect(error.message == "too many field accesses in one expression")
    }

    @Test("many short chains do not count as a long one")
    func shortChains() throws {
        let state = try LuaState(profile: .script, limits: .none)
        let row = "{ x.a.b[c.d].e, f(x.y.z), g{ x.y }, h[[text]].k }, "
        #expect(try refusal(Array("return { \(String(repeating: row, count: 2_000)) }".utf8), by: state) == nil)
    }

    /// Of every source that Lua takes: the guard takes it too, unless `_ENV` is a name in it. Lua decides whether it
    /// is: put into its place, bytes that mean nothing are refused, and in the same line.
    @Test("random sources are refused exactly where Lua sees the forbidden name")
    func random() throws {
        let (oracle, state) = (LuaOracle(), try LuaState(profile: .script, limits: .none))
        var soup = SourceSoup(seed: 20_261)
        var (taken, seen) = (0, 0)
        for _ in 0..<Corpus.mutantsPerSeed * 10 {
            let source = soup.next()
            let lua = oracle.complaint(about: source)
            let ours = try refusal(source, by: state)
            guard lua == nil else {
                #expect(ours != nil, "\(String(decoding: source, as: UTF8.self).debugDescription)")
                continue
            }
            taken += 1
            let name = source.firstName(oracle)
            #expect(
                ours?.message == (name == nil ? nil : Self.forbidden) && ours?.line == name,
                "\(ours.debugDescription): \(String(decoding: source, as: UTF8.self).debugDescription)")
            if name != nil { seen += 1 }
        }
        #expect(taken > Corpus.mutantsPerSeed && seen > Corpus.mutantsPerSeed / 10)
    }

    @Test("the guard and the parser take the same sources, and see the forbidden name in the same line")
    func parser() throws {
        let state = try LuaState(profile: .script, limits: .none)
        var mutator = SourceMutator(seed: 7)
        for seed in Corpus.all {
            for _ in 0..<Corpus.mutantsPerSeed / 20 {
                let source = mutator.mutate(seed, borrowingFrom: Corpus.all)
                let guarded = try refusal(source, by: state)
                if guarded?.message == Self.forbidden { continue }
                let parsed = try? LuaParser.parse(source, chunk: "x", skipsFirstLineComment: source.first == 0x23)
                #expect(
                    (parsed != nil) == (guarded == nil),
                    "\(guarded.debugDescription): \(String(decoding: source, as: UTF8.self).debugDescription)")
            }
        }
    }
}

extension [UInt8] {
    private static let name = Array("_ENV".utf8)

    /// Whether the match is not part of a longer name.
    private func isAlone(_ start: Int, _ count: Int) -> Bool {
        func isNamePart(_ index: Int) -> Bool {
            indices.contains(index) && (self[index] == 0x5F || Character(Unicode.Scalar(self[index])).isASCIIName)
        }
        return !isNamePart(start - 1) && !isNamePart(start + count)
    }

    /// The line of the first `_ENV` that is a name to Lua, in a source that it takes.
    fileprivate func firstName(_ oracle: LuaOracle) -> Int? {
        for start in indices where self[start...].starts(with: Self.name) && isAlone(start, Self.name.count) {
            let marked = Array(self[..<start]) + [UInt8](repeating: 0x40, count: 4) + self[(start + 4)...]
            guard let complaint = oracle.complaint(about: marked), complaint.contains("'@'") else { continue }
            return Int(complaint.dropFirst(2).prefix { $0 != ":" })
        }
        return nil
    }
}

extension Character {
    fileprivate var isASCIIName: Bool { isASCII && (isLetter || isNumber) }
}

/// Sources that Lua mostly takes, of everything that its lexer has to tell apart.
private struct SourceSoup {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    mutating func next() -> [UInt8] {
        var source: [UInt8] = []
        for _ in 0..<Int.random(in: 1...8, using: &random) { source += statement() }
        if Int.random(in: 0..<20, using: &random) == 0, !source.isEmpty {
            source[Int.random(in: source.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        return source
    }

    private mutating func pick(_ words: [String]) -> [UInt8] { Array((words.randomElement(using: &random) ?? "").utf8) }

    private mutating func statement() -> [UInt8] {
        space() + name() + space() + pick(["=", ".y=", "[1]=", "['a']="]) + space() + value()
            + (Bool.random(using: &random) ? space() + pick(["..", "+", "//", "<<", "==", "and "]) + value() : [])
            + pick([";", "\n", "\r", " ;", "\r\n", "\n\r"])
    }

    private mutating func name() -> [UInt8] { pick(["x", "x", "my_ENV", "_ENVx", "_EN", "_ENV"]) }

    private mutating func value() -> [UInt8] {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: pick(["1", "0x1p4", ".5", "3.", "1e-3", "0xA.8p+1", "1..2", "0x", "3_ENV", "1e+_ENV"])
        case 1, 2: string()
        case 3: longText()
        default: name()
        }
    }

    private mutating func string() -> [UInt8] {
        let quote = pick(["'", "\""])
        var content: [UInt8] = []
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            content += pick([
                "_ENV", " _ENV ", "a", "é", "\\n", "\\\\", "\\'", "\\\"", "\\x41", "\\065", "\\9", "\\300",
                "\\u{7FFFFFFF}",
                "\\u{80000000}", "\\z \r\n _ENV", "\\\n", "\\\r", "\\\r\n", "\\\n\r", "\\q", "--", "[[", "]]", "\u{0}",
                "\\x4",
            ])
        }
        return quote + content + quote
    }

    private mutating func longText() -> [UInt8] {
        let equals = pick(["", "=", "=="])
        return Array("[".utf8) + equals + Array("[".utf8) + text() + Array("]".utf8) + equals + Array("]".utf8)
    }

    /// Any bytes.
    private mutating func text() -> [UInt8] {
        var text: [UInt8] = []
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            text += pick(["_ENV", " ", "]", "=", "]=", "\n", "\r", "\r\n", "\n\r", "--", "'", "\\", "[[", "é", "\u{0}"])
            if Int.random(in: 0..<8, using: &random) == 0 { text.append(UInt8.random(in: 0...255, using: &random)) }
        }
        return text
    }

    private mutating func space() -> [UInt8] {
        var space: [UInt8] = [0x20]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: space += pick([" ", "\t", "\u{0B}", "\u{0C}"])
            case 2: space += pick(["\n", "\r", "\r\n", "\n\r", "\n\n", "\r\r"])
            case 3:
                space +=
                    Array("--".utf8) + pick(["", "[", "[=", "[==_ENV", " _ENV"])
                    + text().filter { $0 != 0x5B } + pick(["\n", "\r", "\r\n", "\n\r"])
            default: space += Array("--".utf8) + longText()
            }
        }
        return space
    }
}
