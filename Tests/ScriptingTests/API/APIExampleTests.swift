import LuaRuntime
import Scripting
import Testing

@Suite("The examples of the API")
struct APIExampleTests {
    /// A throw that ends a rehearsal is not needed: it is always undone.
    @Test(
        "every function has an example, and every example gives and shows what it says",
        arguments: LuaAPI.modules.map(\.name))
    func examples(module: String) throws {
        let check = APIExampleCheck(sample: try APISample())
        for function in LuaAPI.functions where function.module == module {
            let faults = try check.faults(of: function)
            #expect(faults == [])
        }
    }

    @Test(
        "an example that is missing, compares nothing or is wrong does not pass",
        arguments: [
            ([], "probe has no example"),
            ([APIExample("probe()", "")], "probe: probe(): compares nothing"),
            ([APIExample("1 -- probe", "2")], "probe: 1 -- probe: gave 1 instead of 2"),
            ([APIExample("1 + 1", "2")], "probe: 1 + 1: does not call the function"),
            (
                [APIExample("print('probe')", shows: "prob")],
                "probe: print('probe'): showed probe instead of prob"
            ),
            ([APIExample("print('probe') return 1", "1")], "probe: print('probe') return 1: showed probe instead of "),
            (
                [APIExample("log.warn('probe')", shows: "info: probe")],
                "probe: log.warn('probe'): showed warn: probe instead of info: probe"
            ),
        ] as [([APIExample], String)])
    func faults(examples: [APIExample], fault: String) throws {
        let function = APIFunction("probe", "Does nothing.", [], returns: .nothing, examples: examples) { _ in [] }
        let faults = try APIExampleCheck(sample: APISample()).faults(of: function)
        #expect(faults.contains(fault))
    }

    @Test("an example is laid out a statement a line, with its result and what it shows")
    func layout() {
        let example = APIExample("local n = 0 for i = 1, 3 do n = n + i end return n", "6")
        #expect(example.lines == ["local n = 0", "for i = 1, 3 do n = n + i end", "return n  --> 6"])
        #expect(APIExample("today()", "2026-12-24").lines == ["today()  --> 2026-12-24"])
        #expect(APIExample("f()", shows: "a\n\nb").lines == ["f()", "--| a", "--|", "--| b"])
        let text = APIExample.text(of: [APIExample("1", "1"), APIExample("2", "2"), example])
        #expect(text.hasPrefix("1  --> 1\n2  --> 2\n\nlocal n = 0\n"))
    }
}
