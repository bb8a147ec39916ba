import Foundation
import Testing
import TextFormats

@Suite("Eight processes at one store")
struct ConcurrencyTests {
    /// Starts the lines at once, each in a process of its own, and gives what each printed. Who is told to try again, since
    /// others held the store for long on a busy machine, does so: what it printed before counts as well.
    static func atOnce(_ library: borrowing SmallLibrary, _ lines: [String]) throws -> [String] {
        let calls = lines.map { ["eval", "--allow", "loans.write", "print(now())\n\($0)\nprint(now())"] }
        let running = try calls.map { try library.command.start($0) }
        var results = running.map { $0.wait() }
        var before = results.map { _ in [Substring]() }
        for _ in 0..<5 {
            for index in results.indices where results[index].status == 75 {
                before[index] += results[index].output.split(separator: "\n").dropFirst()
                results[index] = try library.command.start(calls[index]).wait()
            }
        }
        for result in results { #expect(result.status == 0, "\(result)") }
        #expect(haveOverlapped(results.map(\.output)), "no two of them ran at the same time")
        return zip(before, results).map { before, result in
            (before + result.output.split(separator: "\n").dropFirst().dropLast()).joined(separator: "\n")
        }
    }

    /// Whether the spans between the first and the last line of two outputs have a moment in common.
    private static func haveOverlapped(_ outputs: [String]) -> Bool {
        let spans = outputs.map { output -> (first: String, last: String) in
            let lines = output.split(separator: "\n").map(String.init)
            return (lines.first ?? "", lines.last ?? "")
        }.sorted { $0.first < $1.first }
        return zip(spans, spans.dropFirst()).contains { $1.first < $0.last }
    }

    @Test("forty requests of one patron with a limit of five give exactly five loans", arguments: StoreChoice.allCases)
    func limit(store: StoreChoice) throws {
        let library = try SmallLibrary(store)
        let five = """
            for i = 1, 5 do
                local loan, refusal = loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }
                if loan then print('lent') else assert(refusal.code == 'limit', refusal.code) end
            end
            """
        let lent = try ConcurrencyTests.atOnce(library, Array(repeating: five, count: 8))
        #expect(lent.flatMap { $0.split(separator: "\n") } == Array(repeating: "lent", count: 5))
        #expect(try library.eval("return #loans.active{ patron = 'p1' }") == "5")
        #expect(
            try library.eval("local n = 0 for e in store.events{ kind = 'loan.made' } do n = n + 1 end return n") == "5"
        )
        #expect(try library.isSound())
    }

    @Test("the last copy goes to exactly one of eight patrons", arguments: StoreChoice.allCases)
    func lastCopy(store: StoreChoice) throws {
        let library = try SmallLibrary(store)
        let lines = (1...8).map { number in
            """
            local loan, refusal = loans.checkout{ patron = 'p\(number)', isbn = '\(SmallLibrary.emma)' }
            print(loan and 'lent' or refusal.code)
            """
        }
        let answers = try ConcurrencyTests.atOnce(library, lines).sorted()
        #expect(answers == ["lent"] + Array(repeating: "no_copies", count: 7))
        #expect(try library.isSound())
    }

    @Test(
        "a request for several titles is granted as a whole or not at all, whoever asks at the same time",
        arguments: StoreChoice.allCases)
    func allOrNothing(store: StoreChoice) throws {
        let library = try SmallLibrary(store)
        let lines = (1...8).map { number in
            """
            local made = loans.checkout{ patron = 'p\(number)', isbns = {
                '\(SmallLibrary.odyssey)', '\(SmallLibrary.programming)', '\(SmallLibrary.odyssey)' } }
            print(made and #made or 0)
            """
        }
        let made = try ConcurrencyTests.atOnce(library, lines).compactMap { Int($0) }
        // There are two copies of the title in the middle.
        #expect(made.sorted() == [0, 0, 0, 0, 0, 0, 3, 3])
        for number in 1...8 {
            let held = try library.eval("return #loans.active{ patron = 'p\(number)' }")
            #expect(held == String(made[number - 1]))
        }
        #expect(try library.isSound())
    }

    @Test("lending and returning at once in eight processes leaves a sound store", arguments: StoreChoice.allCases)
    func mixture(store: StoreChoice) throws {
        let library = try SmallLibrary(store)
        let lines = (1...8).map { number in
            """
            local patron = 'p\(number)'
            -- One that is told to try again goes on where it was.
            local function made() return loans.history{ patron = patron } end
            repeat
                local latest = made()[1]
                local round = #made() + 1
                if round % 2 == 1 and latest and not latest.returned_at then
                    assert(loans.checkin{ loan = latest })
                elseif round <= 6 then
                    assert(loans.checkout{ patron = patron, isbn = '\(SmallLibrary.odyssey)' })
                end
            until round > 6
            """
        }
        _ = try ConcurrencyTests.atOnce(library, lines)
        let counted = try library.eval(
            "local n = 0 for p = 1, 8 do n = n + #loans.active{ patron = 'p' .. p } end return n")
        #expect(counted == "24")
        #expect(try library.isSound())
    }
}
