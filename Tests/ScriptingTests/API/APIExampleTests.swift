import LuaRuntime
import Scripting
import Testing

struct APIExampleTests {
    /// A throw that ends a rehearsal is not needed: it is always undone.
    @Test("every function has an example, and every example gives what it says", arguments: LuaAPI.modules.map(\.name))
    func examples(module: String) throws {
        let sample = try APISample()
        for function in LuaAPI.functions where function.module == module {
            #expect(!function.examples.isEmpty, "\(function.fullName) has no example")
            for example in function.examples {
                let evaluator = try sample.evaluator()
                let text = try evaluator.context.rehearsing { _ in
                    APISample.text(of: evaluator.evaluate(example.code))
                }
                #expect(text == example.result, "\(function.fullName): \(example.code)")
            }
        }
    }
}
