import Scripting
import Testing

@Suite("Going through records")
struct APIEachTests {
    @Test(
        "every 'each' takes an empty table, and nothing at all",
        arguments: LuaAPI.functions.filter { $0.name == "each" }.map(\.fullName))
    func empty(name: String) throws {
        let sample = try APISample()
        let found = try count(sample, "\(name){}")
        #expect(Int(found) != nil, "\(found)")
        #expect(try found == count(sample, "\(name)()"))
    }

    private func count(_ sample: APISample, _ call: String) throws -> String {
        try sample.evaluate("(function() local n = 0 for _ in \(call) do n = n + 1 end return n end)()")
    }

    @Test("a table that says something is still too much for a function without arguments")
    func something() throws {
        let sample = try APISample()
        #expect(try sample.evaluate("branches.each{ code = 'main' }").hasPrefix("lua_error"))
    }
}
