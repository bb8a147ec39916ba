import Foundation
import Testing

@Suite("The demonstration")
struct DemonstrationTests {
    @Test("it runs to its end: a policy is kept out by its own tests, then swapped, and the store is sound")
    func runs() throws {
        let folder = try TemporaryFolder()
        let demo = BuiltCommand.root.appending(path: "tools/demo").path(percentEncoded: false)
        let command = BuiltCommand.executable.path(percentEncoded: false)
        let result = try Shell.run("exec \"$0\" \"$1\"", [demo, command], in: folder.url)
        #expect(result.status == 0, "\(result)")
        #expect(
            result.error.contains(
                "10 of 10 allowed loans for category undergraduate and item type book have been used."))
        #expect(result.error.contains("A test failed; nothing was changed."))
        #expect(result.output.contains("In force: "))
        #expect(result.output.contains("Oct 2026"), "the report has the last month")
        #expect(result.output.hasSuffix("The store is sound.\n"))
    }
}
