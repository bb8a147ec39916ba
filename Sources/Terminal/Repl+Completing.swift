import Circulation
import Desk
import Foundation
package import LineEditing
import LuaRuntime
import Reports
import Scripting
import TextFormats

extension Repl {
    /// What can stand behind a text.
    package func complete(_ head: String) -> Completion {
        guard head.hasPrefix(":"), !head.hasPrefix("::") else { return lua(head) }
        guard let blank = head.firstIndex(of: " ") else {
            return Completion(
                typed: head, among: commands.map { Completion.Candidate($0.word, about: $0.summary, ending: $0.ending) }
            )
        }
        let command = commands.first { $0.word == head[..<blank] }
        return complete(String(head[blank...].drop { $0 == " " }), of: command?.completing ?? .nothing)
    }

    private func complete(_ rest: String, of completing: SessionCommand.Completing) -> Completion {
        switch completing {
        case .nothing: return .none
        case .names:
            guard !rest.contains(where: { !$0.isLetter && $0 != "_" && $0 != ":" }) else { return lua(rest) }
            return Completion(
                typed: rest,
                among: commands.map { Completion.Candidate($0.word, about: $0.summary) } + names()
                    + LuaAPI.records.map { Completion.Candidate($0.name, about: $0.summary) })
        case .files(let options): return Repl.file(behind: rest, options: options)
        case .anyFiles: return Repl.files(rest.lastWord, endings: nil)
        case .patrons:
            var completion = Completion(typed: rest, among: keys(.patron, rest))
            completion.isCut = completion.candidates.count >= Repl.longestMenu
            return completion
        case .sql: return sql(rest)
        case .actions(let actions, let options):
            guard let blank = rest.firstIndex(of: " ") else { return Completion(typed: rest, among: actions) }
            return Repl.file(behind: String(rest[blank...])) { options(String(rest[..<blank])) }
        }
    }

    /// Behind a hyphen an option that was not given yet, else a file of Lua.
    private static func file(behind rest: String, options: () -> [Completion.Candidate]) -> Completion {
        let typed = rest.lastWord
        guard typed.hasPrefix("-") else { return files(typed, endings: [".lua"]) }
        let given = Set(rest.split(separator: " ").dropLast().map(String.init))
        return Completion(typed: typed, among: options().filter { !given.contains($0.text) })
    }

    // MARK: - Lua

    private func lua(_ head: String) -> Completion {
        let context = InputContext(head, api: evaluator.context.api)
        switch context.place {
        case .nothing: return .none
        case .text(let typed, let quote): return text(typed, quote: quote, context)
        case .member(let shape, let typed): return Completion(typed: typed, among: members(of: shape))
        case .name(let typed):
            if context.call?.takesName == true { return arguments(context, typed) }
            let values = values(of: context.expected)
            if typed.isEmpty { return Completion(typed: "", among: values) }
            return Completion(typed: typed, among: names() + values)
        }
    }

    /// Arguments that are not given yet; where none fits, any name may begin a value.
    private func arguments(_ context: InputContext, _ typed: String) -> Completion {
        let missing = context.call?.missing ?? []
        let fitting = missing.filter { $0.name.hasPrefix(typed) }
        guard !fitting.isEmpty else { return typed.isEmpty ? .none : Completion(typed: typed, among: names()) }
        // What has to be given comes first.
        let ordered = fitting.filter(\.isRequired) + fitting.filter { !$0.isRequired }
        return Completion(
            typed: typed,
            fitting: ordered.map {
                let needed = $0.isRequired ? "needed. " : ""
                return Completion.Candidate($0.name, about: needed + InputHint.meaning($0), ending: " = ")
            })
    }

    private func names() -> [Completion.Candidate] {
        let known = KnownNames.script
        let modules = LuaAPI.modules.filter { !$0.name.isEmpty }.map {
            Completion.Candidate($0.name, about: $0.summary)
        }
        let functions = known.globals.map { Completion.Candidate($0, about: LuaAPI.function($0)?.summary ?? "") }
        let libraries = known.modules.keys.filter { LuaAPI.module($0) == nil }.map {
            Completion.Candidate($0, about: "a library of Lua")
        }
        let own = globals.map { Completion.Candidate($0, about: "yours") }
        let results = zip(["_", "_1", "_2"], self.results).map { name, _ in
            Completion.Candidate(name, about: SessionCommand.results.first { $0.word.contains(name) }?.summary ?? "")
        }
        return modules + functions + libraries + own + results + InputToken.keywords.map { Completion.Candidate($0) }
    }

    private func members(of shape: InputShape) -> [Completion.Candidate] {
        switch shape {
        case .module(let name):
            LuaAPI.module(name)?.functions.map { Completion.Candidate($0.name, about: $0.summary) } ?? []
        case .value(let type):
            Repl.candidates(InputReader.fields(of: type, evaluator.context.api))
        case .live(let path): liveMembers(of: path)
        case .function, .unknown: []
        }
    }

    /// The fields that a value of the session has; of a record also those that it may have.
    private func liveMembers(of path: String) -> [Completion.Candidate] {
        if let names = KnownNames.script.modules[path] { return names.map { Completion.Candidate($0) } }
        let names = evaluator.fieldNames(of: path)
        guard !names.isEmpty else {
            guard let type = evaluator.typeName(of: path) else { return [] }
            let methods = type == "string" ? KnownNames.script.modules["string"] ?? [] : []
            return Repl.candidates(LuaAPI.fields(ofValue: type)) + methods.map { Completion.Candidate($0) }
        }
        if let record = evaluator.context.api.records.first(where: { Set(names).isSubset(of: $0.fields.map(\.name)) }) {
            return Repl.candidates(record.fields)
        }
        return names.map { Completion.Candidate($0) }
    }

    private static func candidates(_ fields: [APIParameter]) -> [Completion.Candidate] {
        fields.map { Completion.Candidate($0.name, about: InputHint.meaning($0)) }
    }

    /// What a value of a type can be, as Lua writes it.
    private func values(of type: APIType?) -> [Completion.Candidate] {
        switch type?.unwrapped {
        case .choice(let words): words.map { Completion.Candidate("\"\($0)\"") }
        case .event: EventDeclaration.all.map { Completion.Candidate("\"\($0.name)\"", about: $0.summary) }
        case .boolean: [Completion.Candidate("true"), Completion.Candidate("false")]
        case .reference(let reference) where reference.isListed:
            keys(reference, "").map { Completion.Candidate("\"\($0.text)\"", about: $0.about) }
        default: []
        }
    }

    // MARK: - Texts

    private func text(_ typed: String, quote: String, _ context: InputContext) -> Completion {
        var candidates: [Completion.Candidate]
        switch context.expected?.unwrapped {
        case .choice(let words): candidates = words.map { Completion.Candidate($0) }
        case .event: candidates = EventDeclaration.all.map { Completion.Candidate($0.name, about: $0.summary) }
        case .reference(let reference): candidates = keys(reference, typed)
        case _ where context.callee == "require":
            let files = Repl.files(typed, endings: [".lua"]).candidates
            candidates = files.map { Completion.Candidate($0.text.replacing(".lua", with: "")) }
        default: return .none
        }
        for index in candidates.indices { candidates[index].ending = quote }
        var completion = Completion(typed: typed, among: candidates)
        completion.isCut = candidates.count >= Repl.longestMenu
        return completion
    }

    /// Records of the store whose key begins with a text.
    private func keys(_ reference: APIReference, _ typed: String) -> [Completion.Candidate] {
        evaluator.keys(of: reference, beginningWith: typed, limit: Repl.longestMenu).map {
            Completion.Candidate($0.key, about: $0.about)
        }
    }

    private static let longestMenu: Int64 = 50

    // MARK: - Beside Lua

    private func sql(_ rest: String) -> Completion {
        let typed = String(rest.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed())
        guard !typed.isEmpty else { return .none }
        let views = views.map { Completion.Candidate($0.name, about: $0.summary) }
        let used = views.map(\.text).filter(rest.contains)
        let columns = self.views.filter { used.contains($0.name) }.flatMap { view in
            view.columns.map { Completion.Candidate($0, about: "of \(view.name)") }
        }
        return Completion(typed: typed, among: views + columns + Repl.sqlWords.map { Completion.Candidate($0) })
    }

    private static let sqlWords = [
        "select", "from", "where", "group by", "order by", "limit", "join", "left join", "having", "distinct", "count",
        "sum", "avg", "min", "max", "between", "like", "union", "case", "when", "then", "desc", "and", "not", "null",
    ]

    /// The files and folders that begin with a path.
    private static func files(_ typed: String, endings: [String]?) -> Completion {
        let folder = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        let isHidden = typed.dropFirst(folder.count).first == "."
        let shown = names.filter { ($0.hasPrefix(".") == isHidden) && SafeText.line($0) == $0 }
        let paths = shown.compactMap { name -> String? in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder + name, isDirectory: &isFolder) else { return nil }
            if isFolder.boolValue { return folder + name + "/" }
            return endings?.contains(where: name.hasSuffix) ?? true ? folder + name : nil
        }
        return Completion(typed: typed, among: paths)
    }
}

extension APIReference {
    /// Whether there are so few that all can be shown.
    fileprivate var isListed: Bool { [.branch, .category, .itemType].contains(self) }
}

extension InputHint {
    /// What a field or an argument is, without its name.
    static func meaning(_ parameter: APIParameter) -> String {
        parameter.documentation.isEmpty ? parameter.type.name : "\(parameter.type.name): \(parameter.documentation)"
    }
}

extension String {
    fileprivate var lastWord: String {
        split(separator: " ", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    }
}
