import LuaSyntax
import Testing

@Suite("The parser judges as Lua does")
struct VerdictTests {
    @Test("what Lua accepts is accepted", arguments: Corpus.accepted)
    func accepts(_ source: String) {
        let verdict = Verdict(on: Array(source.utf8), oracle: LuaOracle())
        #expect(verdict.lua == nil, "\(verdict)")
        #expect(verdict.ours == nil, "\(verdict)")
    }

    @Test("what Lua refuses is refused in Lua's words and on Lua's line", arguments: Corpus.refused)
    func refuses(_ source: String) {
        let verdict = Verdict(on: Array(source.utf8), oracle: LuaOracle())
        #expect(verdict.lua != nil, "\(verdict)")
        #expect(verdict.agrees, "\(verdict)")
    }

    @Test("mutated sources get Lua's verdict, words and line", arguments: 1...8)
    func mutants(seed: Int) {
        let corpus = Corpus.all
        let accepted = disagreements(seed: seed, count: Corpus.mutantsPerSeed, corpus: corpus)
        // Mutants that are all wrong, or all right, would prove little.
        #expect(accepted > Corpus.mutantsPerSeed / 15)
        #expect(accepted < Corpus.mutantsPerSeed * 14 / 15)
    }

    @Test("mutated scripts of the collection get Lua's verdict, words and line", arguments: 1...4)
    func mutatedScripts(seed: Int) throws {
        let windows = try CollectedScripts.all().flatMap { CollectedScripts.windows(of: $0.source) }
        try #require(windows.count > 30)
        _ = disagreements(seed: seed + 1000, count: Corpus.mutantsPerSeed / 3, corpus: windows)
    }

    @Test("every script of the collection gets Lua's verdict")
    func scripts() throws {
        let oracle = LuaOracle()
        let scripts = try CollectedScripts.all()
        try #require(scripts.count > 20)
        for script in scripts {
            let verdict = Verdict(on: script.source, oracle: oracle)
            #expect(verdict.agrees, "\(script.name)\n\(verdict.summary)")
        }
    }

    /// Records each mutant on which we and Lua differ.
    ///
    /// - Returns: how many mutants Lua accepts.
    private func disagreements(seed: Int, count: Int, corpus: [[UInt8]]) -> Int {
        let oracle = LuaOracle()
        var mutator = SourceMutator(seed: UInt64(seed))
        var accepted = 0
        for index in 0..<count {
            let mutant = mutator.mutate(corpus[index % corpus.count], borrowingFrom: corpus)
            let verdict = Verdict(on: mutant, oracle: oracle)
            if verdict.lua == nil { accepted += 1 }
            if !verdict.agrees { Issue.record("seed \(seed), mutant \(index)\n\(verdict)") }
        }
        return accepted
    }
}
