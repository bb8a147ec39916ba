package import Circulation
package import LuaRuntime
import TextFormats

/// What a file of tests says by `same(name, point, policy_file "town.lua", { … })`: that the policy decides some cases as another
/// policy does.
package struct SameDeclaration: Sendable {
    package static let word = "same"
    package static let fileWord = "policy_file"

    package let name: String
    package let point: DecisionPoint
    /// The other policy's file, beside the tests.
    package let file: String
    /// The cases that it is about.
    package let scope: CaseScope

    /// - Parameters:
    ///   - records: the case as the library has it.
    ///   - currency: of amounts that say none.
    /// - Throws: ``LuaHostError`` for arguments that are none.
    package init(_ arguments: LuaArguments, of records: LibraryCase, currency: Currency) throws {
        guard let name = arguments[0].stringValue, let word = arguments[1].stringValue,
            let file = arguments[2].tableValue?[Self.fileWord].stringValue
        else {
            throw LuaHostError(
                "same: arguments are a name, a decision point, policy_file \"town.lua\", and fields of the cases")
        }
        guard let point = DecisionPoint(rawValue: word) else {
            throw LuaHostError("same: \(DecisionPoint.unknown(word))")
        }
        (self.name, self.point, self.file) = (name, point, file)
        let fields = try arguments.value(at: 3)
        if fields.isNil {
            scope = .all
            return
        }
        let table = fields.tableValue.map { JSON(plain: .table($0)) } ?? nil
        // A table without anything in it is a list.
        guard let table, let object = table.objectValue ?? (table.arrayValue == [] ? JSONObject() : nil) else {
            throw LuaHostError("same: argument 4 must be a table of fields of the case: { branch = \"north\" }")
        }
        do {
            scope = try CaseScope(object, of: records, currency: currency)
        } catch {
            throw LuaHostError("same: \(error.words)")
        }
    }

    /// Makes the word `policy_file` known.
    package static func definePolicyFile(in state: LuaState) throws {
        try state.define(fileWord) { arguments in
            guard let name = arguments[0].stringValue, ScriptFolder.isPolicyFile(name) else {
                throw LuaHostError("policy_file: argument 1 must be the name of a file beside the tests: \"town.lua\"")
            }
            return [.table(LuaTable(fields: [(fileWord, .string(name))]))]
        }
    }
}

extension DecisionPoint {
    /// What is wrong with a word that is no decision point.
    package static func unknown(_ word: String) -> String {
        let nearest = NameSuggestion.nearest(to: word, among: allCases.map(\.rawValue))
        return "there is no decision point '\(APIText.quotable(word))'"
            + (nearest.map { " (did you mean '\($0)'?)" } ?? "")
    }
}
