package import LineEditing
import Scripting

extension Repl {
    /// What is known about the call in which the cursor stands, or about the function or command that was named.
    package func hint(_ head: String) -> InputHint? {
        if head.hasPrefix(":") && !head.hasPrefix("::") { return commandHint(head) }
        let context = InputContext(head, api: evaluator.context.api)
        if let function = context.named { return InputHint(function, argument: nil) }
        if let call = context.call { return InputHint(call.function, argument: call.argument) }
        return nil
    }

    private func commandHint(_ head: String) -> InputHint? {
        let word = head.prefix { $0 != " " }
        guard let command = commands.first(where: { $0.word == word }) else { return nil }
        return InputHint(signature: [InputHint.Part("\(command.word) \(command.arguments)")], about: command.summary)
    }
}

extension InputHint {
    init(_ function: APIFunction, argument: APIParameter?) {
        let isNamed = function.namedArguments != nil
        let parameters = function.namedArguments ?? function.parameters
        var parts = [Part(function.fullName + (isNamed ? "{ " : "("))]
        for (index, parameter) in parameters.enumerated() {
            if index > 0 { parts.append(Part(", ")) }
            let name = parameter.isRequired ? parameter.name : "[\(parameter.name)]"
            parts.append(Part(name, isCurrent: parameter.name == argument?.name))
        }
        parts.append(
            Part((isNamed ? " }" : ")") + (function.result == .nothing ? "" : "  gives \(function.result.text)")))
        self.init(signature: parts, about: argument.map(InputHint.about) ?? function.summary)
    }

    static func about(_ parameter: APIParameter) -> String {
        let standard = parameter.standard.map { " = \($0)" } ?? ""
        let meaning = parameter.documentation.isEmpty ? "" : " - \(parameter.documentation)"
        return "\(parameter.name): \(parameter.type.name)\(standard)\(meaning)"
    }
}

extension Repl {
    /// What an editor asks of this session.
    package var editing: LineEditor.Session {
        let known = KnownNames.script
        return LineEditor.Session(
            complete: { [unowned self] in complete($0) }, hint: { [unowned self] in hint($0) },
            isComplete: { [unowned self] in isComplete($0) },
            knownNames: Set(known.globals + known.modules.flatMap { [$0] + $1 }))
    }
}
