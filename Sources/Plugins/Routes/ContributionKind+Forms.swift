import Circulation
import LuaRuntime
import LuaSyntax
import Scripting

extension ContributionKind {
    /// Forms beneath the plugin's pages, by which those who are logged in do something:
    /// `forms = { { name = "book", page = "/rooms", label = "Book a room", parameters = { room = "text" }, run = function(request) ... end } }`.
    package static let forms = ContributionKind(
        "forms", "a form", .list(named: "name"),
        [
            Field("page", .text, isRequired: true), Field("label", .text, isRequired: true), Field("help", .text),
            Field("parameters", .parameters), Field(choices, .function), Field(run, .function, isRequired: true),
        ],
        faults: { entry, manifest in
            let pages = manifest.contributions(of: .pages).map(\.name)
            let page = entry.text("page") ?? ""
            let known = pages.isEmpty ? "it has none" : "it has \(pages.joined(separator: ", "))"
            var faults =
                pages.contains(page) ? [] : [Fault("page", "is the path of a page of the plugin; \(known)")]
            for parameter in entry.parameters where [.file, .period].contains(parameter.kind) {
                faults.append(Fault("parameters", "of a form have no \(parameter.kind.rawValue): '\(parameter.name)'"))
            }
            return faults
        },
        argument: { entry, _, api in
            let names = entry.parameters.map { ($0.name, FieldTree.leaf) }
            let arguments = FieldTree(Dictionary(names, uniquingKeysWith: { first, _ in first }))
            return PluginRequest.tree(api, arguments: arguments)
        },
        problem: { entry in
            PluginPart.isName(entry.name)
                ? nil : "the name of a form is lower-case letters, digits, - and _, such as \"book\""
        })

    /// The field under which a form has the function that says what may be chosen.
    package static let choices = "choices"
}

extension PluginManifest {
    /// The forms of a page, in the order in which they are written.
    package func forms(of page: Contribution) -> [Contribution] {
        contributions(of: .forms).filter { $0.text("page") == page.name }
    }
}

/// What may be chosen in a form.
package struct FormChoice: Hashable, Sendable {
    package let value: String
    /// What a person reads.
    package let words: String
}

/// What a form was answered.
package struct FormAnswer: Hashable, Sendable {
    /// What the person who sent it reads; empty: nothing in particular.
    package let words: String
    /// The page of this server that comes next; nil: the form's own.
    package let path: String?
}

extension LoadedPlugin {
    /// What may be chosen for parameters of a form just now, by their names: what its function `choices` says. It changes
    /// nothing.
    ///
    /// - Throws: as ``answer(_:_:)``.
    package func choices(of form: Contribution, _ request: PluginRequest) throws -> [String: [FormChoice]] {
        guard form.has(ContributionKind.choices) else { return [:] }
        var found: [String: [FormChoice]] = [:]
        try translated(form, ContributionKind.choices, for: request.caller) { function in
            let looked = try state.refusing("'choices' changes nothing") {
                try context.looking { try invoke(function, with: request) }
            }
            guard let given = looked else { throw PluginAnswer.Malformed(message: "'choices' changes nothing") }
            guard let table = (given.first ?? .nil).tableValue else {
                throw PluginAnswer.Malformed(message: "'choices' gives a table of lists by the names of parameters")
            }
            for parameter in form.parameters where !table[parameter.name].isNil {
                found[parameter.name] = try Self.choices(table[parameter.name], parameter.name)
            }
        }
        return found
    }

    private static func choices(_ value: LuaValue, _ name: String) throws(PluginAnswer.Malformed) -> [FormChoice] {
        var choices: [FormChoice] = []
        for entry in value.tableValue?.array ?? [] {
            let parts = entry.tableValue?.array ?? [entry]
            guard let value = text(parts.first), let words = text(parts.last) else {
                throw PluginAnswer.Malformed(
                    message: "'\(name)' of 'choices' lists texts, or pairs such as { \"3\", \"Room 3\" }")
            }
            choices.append(FormChoice(value: value, words: words))
        }
        return choices
    }

    private static func text(_ value: LuaValue?) -> String? {
        value?.stringValue ?? value?.integerValue.map { String($0) } ?? value?.smallValue?.plainText
    }

    /// Carries out a form in the name of the person who sent it. No transaction is open, as for routes.
    ///
    /// - Parameter texts: what was filled in, by the names of parameters.
    /// - Throws: ``Problem`` for input that is not as it has to be, with the parameter at fault, and for what the plugin
    ///   refuses; as ``answer(_:_:)``.
    package func submit(
        _ form: Contribution, _ texts: [String: String], _ request: PluginRequest
    ) throws -> FormAnswer {
        let choices = try choices(of: form, request)
        var words: [String] = []
        for parameter in form.parameters {
            guard let text = texts[parameter.name], !text.isEmpty else {
                guard parameter.isRequired && parameter.standard == nil else { continue }
                throw Problem.input("'\(parameter.name)' must be filled in.", argument: parameter.name)
            }
            guard text.count <= Self.longestText else {
                throw Problem.input(
                    "'\(parameter.name)' can have at most \(Self.longestText) characters.", argument: parameter.name)
            }
            if let choices = choices[parameter.name], !choices.contains(where: { $0.value == text }) {
                throw Problem.input("'\(parameter.name)' cannot be this any more.", argument: parameter.name)
            }
            let word = "--\(parameter.name.replacing("_", with: "-"))=\(text)"
            do {
                _ = try context.arguments([word], of: [parameter.optional])
            } catch let wrong as ScriptUsageError {
                let option = "\(word.prefix { $0 != "=" }): "
                let message = wrong.message
                let words = message.hasPrefix(option) ? String(message.dropFirst(option.count)) : message
                throw Problem.input(words, argument: parameter.name)
            }
            words.append(word)
        }
        var request = request
        request.arguments = try context.arguments(words, of: form.parameters).tableValue
        _ = context.takeDocument()
        return try translated(form, ContributionKind.run, for: request.caller) {
            try Self.answer(invoke($0, with: request).first ?? .nil)
        }
    }

    /// How many characters a field of a form has at most.
    package static let longestText = 2_000

    private static func answer(_ value: LuaValue) throws(PluginAnswer.Malformed) -> FormAnswer {
        if value.isNil { return FormAnswer(words: "", path: nil) }
        if let words = value.stringValue { return FormAnswer(words: words, path: nil) }
        guard let table = value.tableValue, let path = table["redirect"].stringValue, path.hasPrefix("/"),
            !path.hasPrefix("//"), path.utf8.count <= 2_000,
            path.utf8.allSatisfy({ (33...126).contains($0) && $0 != 92 })
        else {
            throw PluginAnswer.Malformed(
                message: "a form gives nothing, the words that are shown, or { redirect = \"/path\", text = \"...\" }")
        }
        return FormAnswer(words: table["text"].stringValue ?? "", path: path)
    }
}
