package import Circulation
package import LuaRuntime
package import LuaSyntax

/// What a file of tests says that a policy never or always does, put to decisions one by one, and what it is said to decide
/// as another policy does. Used by one thread.
package final class LuaProperties {
    /// The words that declare a property; they come to nothing where tests are run.
    package static let words = conditions + [SameDeclaration.word]
    /// Those of them that are handed a function.
    package static let conditions = ["never", "always"]

    private let machine: PolicyMachine
    private let filler: CaseMarshaller
    private let binding: LuaFunction
    private var declared: [Declared] = []
    private var question: Case?

    private enum Declared {
        case condition(LuaFunction)
        case same(SameDeclaration)
    }

    /// Runs the file, whose tests are passed over.
    ///
    /// - Parameters:
    ///   - chunk: the file of tests, and its text.
    ///   - folder: where it finds what it requires.
    ///   - others: the words of tests that come to nothing here.
    /// - Throws: ``LuaError`` for what is wrong with the file.
    package init(
        _ chunk: Chunk, source: String, folder: ScriptFolder?, others: [String], tables: CompiledTables,
        fields: CustomFields,
        currency: Currency, limits: LuaLimits
    ) throws {
        machine = try PolicyMachine(chunks: [chunk], currency: currency, limits: limits)
        let records = LibraryCase(fields)
        filler = try CaseMarshaller(
            frame: machine.frame, names: machine.names, calendarMethods: machine.calendarMethods, tables: tables,
            records: records)
        let state = machine.state
        binding = try Self.binding(in: state)
        for word in Self.conditions {
            try state.define(word) { [unowned self] arguments in
                guard let body = arguments[2].functionValue else {
                    throw LuaHostError("\(word): arguments are a name, a decision point and a function")
                }
                declared.append(.condition(body))
                return []
            }
        }
        try state.define(SameDeclaration.word) { [unowned self] arguments in
            declared.append(.same(try SameDeclaration(arguments, of: records, currency: currency)))
            return []
        }
        try SameDeclaration.definePolicyFile(in: state)
        for word in others { try state.define(word) { _ in [] } }
        try defineWithin(in: state)
        if let folder { state.require = { try folder.source(of: $0) } }
        let environment = try state.makeEnvironment()
        _ = try state.call(try state.load(source, chunk: chunk.name, environment: environment))
    }

    /// A function that hands a case on together with a decision.
    private static func binding(in state: LuaState) throws -> LuaFunction {
        let source = "return function(body, decision) return function(case) return body(case, decision) end end"
        let made = try state.call(
            try state.load(source, chunk: PolicyPrelude.chunk, environment: try state.makeEnvironment()))
        guard let function = made.first?.functionValue else { throw LuaHostError("no function") }
        return function
    }

    private func defineWithin(in state: LuaState) throws {
        try state.define("within") { [unowned self] arguments in
            guard let above = arguments[1].stringValue else {
                throw LuaHostError("within: arguments are a code of the case and a category, item type or branch")
            }
            guard let code = arguments[0].stringValue else { return [.boolean(false)] }
            return [.boolean(code == above || question?.isBelow(code, above) ?? false)]
        }
    }

    /// The declarations of `same`, by their place among all properties of the file, from 0.
    package var sameDeclarations: [Int: SameDeclaration] {
        declared.enumerated().reduce(into: [:]) { found, entry in
            if case .same(let declaration) = entry.element { found[entry.offset] = declaration }
        }
    }

    /// What the function of a property answers of a decision.
    ///
    /// - Parameter index: the property's place in the file, from 0.
    /// - Throws: ``LuaError`` for an error that it raises.
    package func answer(_ index: Int, of question: Case, decision: LuaValue) throws -> Bool {
        guard case .condition(let body) = declared[index] else { return false }
        self.question = question
        machine.context.zone = question.zone
        machine.context.calendar = question.calendar
        let bound = try machine.state.call(binding, [.function(body), decision]).first?.functionValue
        guard let bound else { return false }
        filler.frame.begin()
        defer { filler.frame.end() }
        let record = try filler.record(of: question)
        return try machine.state.call(bound, frame: filler.frame, records: record) { answer in
            switch answer.kind() {
            case .nil: false
            case .boolean: answer.boolean() ?? false
            default: true
            }
        }
    }
}

extension Case {
    /// Whether a code that stands in the case lies below another.
    fileprivate func isBelow(_ code: String, _ above: String) -> Bool {
        let chains =
            [branches, patron.categories, patron.homeBranches, copy?.branches ?? [], copy?.itemTypes ?? []]
            + patron.loans.flatMap { [$0.itemTypes, $0.branches, $0.copyBranches] }
        return chains.contains { $0.first == code && $0.contains(above) }
    }
}
