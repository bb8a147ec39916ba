package import Circulation
package import LuaRuntime
import Scripting

/// The tests that a file declares by `test`, `todo_test` and `cases`, and what they expect. Used by one thread.
package final class DeclaredTests {
    private struct Declared {
        let name: String
        let body: LuaFunction
        /// What the body is handed: the row of a table of cases.
        var arguments: [LuaValue] = []
        let isTodo: Bool

        var line: Int { body.definedAt?.line ?? 1 }
    }

    private let file: String
    private let state: LuaState
    private let limits: LuaLimits
    private var declared: [Declared] = []
    private var lastDifference: String?
    /// What the test prints that runs.
    private var printed: [String] = []
    private static let mostPrinted = 1_000
    /// What differs between a value and what a test expects; nil: nothing. What it throws is an error of the test.
    var difference: (_ value: LuaValue, _ expected: LuaValue) throws -> String? = {
        Expectation.difference($0, $1, failure: nil)
    }

    /// Makes the words known.
    ///
    /// - Parameters:
    ///   - file: the name of the tests' file.
    ///   - limits: what one test may use up.
    ///   - records: the case as the library has it.
    package init(of file: String, in state: LuaState, limits: LuaLimits, records: LibraryCase = .plain) throws {
        self.file = file
        self.state = state
        self.limits = limits
        state.print = { [unowned self] words in
            if printed.count < Self.mostPrinted { printed.append(words.joined(separator: "\t")) }
        }
        for (name, isTodo) in [("test", false), ("todo_test", true)] {
            try state.define(name) { [unowned self] arguments in
                guard let title = arguments[0].stringValue, let body = arguments[1].functionValue else {
                    throw LuaHostError("\(name): arguments are a name and a function")
                }
                declared.append(Declared(name: title, body: body, isTodo: isTodo))
                return []
            }
        }
        // What they declare is proved, not run.
        try SameDeclaration.definePolicyFile(in: state)
        try state.define(SameDeclaration.word) { arguments in
            _ = try SameDeclaration(arguments, of: records, currency: .eur)
            return []
        }
        for word in LuaProperties.conditions {
            try state.define(word) { arguments in
                guard arguments[0].stringValue != nil, arguments[1].stringValue != nil,
                    arguments[2].functionValue != nil
                else { throw LuaHostError("\(word): arguments are a name, a decision point and a function") }
                return []
            }
        }
        try state.define("cases") { [unowned self] in try declareCases($0) }
        try state.define("expect") { [unowned self] arguments in
            guard let found = try difference(try arguments.value(at: 0), try arguments.value(at: 1)) else { return [] }
            lastDifference = found
            throw LuaHostError(found)
        }
    }

    /// A test for each row of a table: a list is handed to the function as its arguments, any other row as it is.
    private func declareCases(_ arguments: LuaArguments) throws -> [LuaValue] {
        guard let title = arguments[0].stringValue, let rows = try arguments.value(at: 1).tableValue,
            let body = arguments[2].functionValue
        else { throw LuaHostError("cases: arguments are a name, a list of rows and a function") }
        for (index, row) in rows.array.enumerated() {
            let list = row.tableValue.flatMap { $0.array.isEmpty ? nil : $0.array }
            let label = row.tableValue?["name"].stringValue ?? list?.first?.stringValue
            let name = "\(title) (\(index + 1)\(label.map { ": \($0)" } ?? ""))"
            declared.append(Declared(name: name, body: body, arguments: list ?? [row], isTodo: false))
        }
        return []
    }

    /// The names of the tests in the order of the file.
    package var names: [String] { declared.map(\.name) }

    /// The lines on which the functions of the tests begin.
    var lines: [Int] { declared.map(\.line) }

    /// Runs the file's own statements. What is wrong with them is a test that failed.
    package func declare(_ source: String) -> PolicyTestReport.Test? {
        do {
            let environment = try state.makeEnvironment()
            try state.call(try state.load(source, chunk: file, environment: environment))
            return nil
        } catch {
            return outcome(of: "the test file", at: 1, error: error)
        }
    }

    /// Runs a test.
    package func run(_ index: Int) -> PolicyTestReport.Test {
        printed = []
        var result = outcome(of: declared[index])
        result.printed = printed
        return result
    }

    private func outcome(of test: Declared) -> PolicyTestReport.Test {
        lastDifference = nil
        do {
            try state.call(test.body, test.arguments, limits: limits)
            return PolicyTestReport.Test(
                name: test.name, file: file, line: test.line, status: test.isTodo ? .todo : .pass,
                message: test.isTodo ? PolicyTestReport.passesAlready : nil)
        } catch {
            let outcome = outcome(of: test.name, at: test.line, error: error)
            guard test.isTodo else { return outcome }
            return PolicyTestReport.Test(
                name: test.name, file: file, line: outcome.line, status: .todo, message: outcome.message)
        }
    }

    /// A test that is not run, since it cannot be right.
    func refused(_ index: Int, at line: Int, _ message: String) -> PolicyTestReport.Test {
        PolicyTestReport.Test(
            name: declared[index].name, file: file, line: line, status: declared[index].isTodo ? .todo : .error,
            message: message)
    }

    private func outcome(of name: String, at line: Int, error: any Error) -> PolicyTestReport.Test {
        guard let error = error as? LuaError else {
            return PolicyTestReport.Test(name: name, file: file, line: line, status: .error, message: "\(error)")
        }
        let isDifference = lastDifference.map { error.message.contains($0) } ?? false
        let status: PolicyTestReport.Status =
            switch error.code {
            case .instructionLimit, .timeLimit: .timeout
            default: isDifference ? .fail : .error
            }
        let place = error.chunk == file ? error.line ?? line : line
        return PolicyTestReport.Test(name: name, file: file, line: place, status: status, message: error.message)
    }
}
