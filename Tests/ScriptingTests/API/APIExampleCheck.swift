import Circulation
import Reports
import Scripting

/// Runs the examples of functions in the sample library and holds what comes of them against what they say.
struct APIExampleCheck {
    let sample: APISample

    /// What is wrong with a function's examples; nothing where each was run and gave and showed what it says.
    func faults(of function: APIFunction) throws -> [String] {
        if function.examples.isEmpty { return ["\(function.fullName) has no example"] }
        return try function.examples.flatMap { example in
            try faults(of: example, calling: function.fullName).map { "\(function.fullName): \(example.code): \($0)" }
        }
    }

    private func faults(of example: APIExample, calling name: String) throws -> [String] {
        var faults: [String] = []
        if !example.code.contains(name) { faults.append("does not call the function") }
        if example.result.isEmpty && example.shown.isEmpty { faults.append("compares nothing") }
        let evaluator = try sample.evaluator()
        let logged = sample.output.logged.count
        let result = try evaluator.context.rehearsing { _ in APISample.text(of: evaluator.evaluate(example.code)) }
        if result != example.result { faults.append("gave \(result) instead of \(example.result)") }
        let lines = sample.output.logged.dropFirst(logged).map { "\($0.level.rawValue): \($0.text)" }
        let report = ReportFormat.table.render(evaluator.context.document)
        let shown =
            (report.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast() + lines)
            .joined(separator: "\n")
        if shown != example.shown { faults.append("showed \(shown) instead of \(example.shown)") }
        return faults
    }
}
