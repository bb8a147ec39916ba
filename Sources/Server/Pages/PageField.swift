import Languages
import Scripting
import TextFormats

/// A field of a form: its label, what browsers may fill in, and the error of its
/// present input.
struct PageField {
    /// The kind of input.
    enum Kind: String {
        case text, email, tel, url, date, number, password
        /// A moment, to the minute.
        case moment = "datetime-local"
        /// Several lines.
        case lines
    }

    /// The name of the route's argument.
    let name: String
    let label: Phrase
    /// The field's name in messages of the desk, where it differs.
    var otherName: String?
    var kind = Kind.text
    /// The smallest number.
    var least = 0
    /// The largest number, or the length of a text.
    var most = 300
    var hint: Phrase?
    /// What browsers may fill in by themselves (the attribute `autocomplete`).
    var fill = "off"
    var isRequired = false
    /// Whether the label says "optional"; forms of mostly optional fields do not say so.
    var saysOptional = false
    /// Whether it is an amount or another number with a point, for the keyboards of telephones.
    var isDecimal = false
    /// Its initial value.
    var standard = ""
    /// The choices of a selection; empty: free input.
    var choices: [(value: String, name: String)] = []
    /// What is offered while typing; anything else may be typed as well.
    var offered: [(word: String, name: String)] = []

    /// The fields of a form, as the template `field` shows them: with the former input where the form is shown again.
    ///
    /// - Parameters:
    ///   - form: the last part of the path that the form is sent to, where the page has several forms.
    ///   - value: the value of a field without input.
    static func inputs(
        _ fields: [PageField], _ call: PageCall, form: String? = nil, value: (String) -> String? = { _ in nil }
    ) -> [[String: Any]] {
        // Of several forms, only the one that was sent shows its input again.
        let isSent = call.request.method == "POST" && (form == nil || call.request.path.hasSuffix("/\(form ?? "")"))
        return fields.map { field in
            let typed = isSent && field.kind != .password ? call.form[field.name] : nil
            return field.shown(
                id: (form.map { "\($0)-" } ?? "") + field.name, typed ?? value(field.name) ?? field.standard,
                wrong: isSent ? call.wrong[field.name] ?? field.otherName.flatMap { call.wrong[$0] } : nil)
        }
    }

    private func shown(id: String, _ value: String, wrong: String?) -> [String: Any] {
        let described = [hint.map { _ in "\(id)-hint" }, wrong.map { _ in "\(id)-wrong" }].compactMap(\.self)
        var fields: [String: Any] = [
            "id": id, "name": name, "label": say(label), "kind": kind.rawValue, "least": least, "most": most,
            "fill": fill,
            "value": kind == .password ? "" : PageWords.safe(value), "isRequired": isRequired,
            "mayBeEmpty": saysOptional, "isDecimal": isDecimal, "isLines": kind == .lines, "isChosen": !choices.isEmpty,
            "isWritten": kind != .lines && choices.isEmpty, "isDescribed": !described.isEmpty,
            "described": described.joined(separator: " "), "isNumber": kind == .number,
            "hasHint": hint != nil, "hint": hint.map(say) ?? "", "isWrong": wrong != nil, "wrong": wrong ?? "",
        ]
        fields["choices"] = choices.map { choice -> [String: Any] in
            ["value": choice.value, "words": PageWords.safe(choice.name), "isIt": choice.value == value]
        }
        fields["offered"] = offered.map { ["word": PageWords.safe($0.word), "words": PageWords.safe($0.name)] }
        return fields
    }

    // MARK: - What is wrong

    /// What is wrong with an argument, in the words of the form.
    static func problem(_ fault: APIArgumentFault, of route: Route) -> Problem {
        let parameter = route.otherParameters.first { $0.name == fault.argument }
        guard let parameter, fault.description.hasPrefix("'"), let wanted = wanted(parameter.type) else {
            return Problem.input(fault.description, argument: fault.argument)
        }
        return Problem.input("'\(parameter.name)' must be \(wanted).", argument: parameter.name)
    }

    /// The same words at the field itself.
    static func sentence(_ problem: Problem) -> String {
        let words = PageWords.safe(problem.detail)
        guard words.hasPrefix("'"), let end = words.dropFirst().firstIndex(of: "'") else {
            return PageWords.sentence(words)
        }
        return PageWords.sentence("This" + words[words.index(after: end)...])
    }

    private static func wanted(_ type: APIType) -> String? {
        switch type {
        case .optional(let inner): wanted(inner)
        case .money: say("an amount, such as 4.50")
        case .date: say("a date, such as 2026-12-24")
        case .instant: say("a date and a time, such as 2026-12-24T18:00")
        case .text(let most): say("at most \(most) characters long")
        case .integer(let range) where range.upperBound < .max:
            say("a whole number from \(range.lowerBound) to \(range.upperBound)")
        default: nil
        }
    }

    /// The error with its field, for the list above the form; nil if no field of the page is at fault.
    static func reasons(in view: PageView) -> [[String: Any]]? {
        let inputs = view.fields.values.compactMap { $0 as? [[String: Any]] }.joined()
        let reasons = inputs.compactMap { input -> [String: Any]? in
            guard let wrong = input["wrong"] as? String, !wrong.isEmpty else { return nil }
            return ["message": wrong, "field": ["id": input["id"] ?? "", "label": input["label"] ?? ""]]
        }
        return reasons.isEmpty ? nil : reasons
    }
}
