package import Circulation
import LuaSyntax
package import Prover
package import Scripting
package import TextFormats

/// What was proved of a policy.
package struct ProofReport {
    /// What is known of a property.
    package enum Status: String, Sendable { case proved, refuted, unknown }

    /// One property at one point.
    package struct Result {
        package let name: String
        package let point: DecisionPoint
        /// `never`, `always`, `same` or `built in`.
        package let kind: String
        package let file: String
        /// nil for what every policy has.
        package let line: Int?
        package let paths: Int
        package var status = Status.unknown
        /// The case that breaks it, or in which the promise itself raises an error, as small as it goes.
        package var question: JSONObject?
        package var decision: JSON?
        /// Of what is promised of two cases the one beside it, and how that is decided.
        package var beside: JSONObject?
        package var decisionBeside: JSON?
        /// In what the two differ.
        package var changeBeside: DecisionChange?
        /// What another policy decides about the case, where one like it is promised.
        package var other: Other?
        /// The lines that ran for it.
        package var ran: [String] = []
        package var test: String?
        /// Why it is not known.
        package var because: Unsettled?

        /// Whether it is proved or refuted.
        var isKnown: Bool { status != .unknown }
    }

    /// Another policy that decides a case otherwise.
    package struct Other {
        /// As the tests name it.
        package let file: String
        package let policy: ParsedPolicy
        package let decision: JSON
        /// From what the other one decides to what this one does.
        package let change: DecisionChange
    }

    package let policy: ParsedPolicy
    package var results: [Result] = []
    /// The files of other policies that promises are held against, with the SHA-256 of what was read.
    package var others: [(file: String, sha256: String)] = []

    /// How many properties have come to that.
    package func count(_ status: Status) -> Int { results.count { $0.status == status } }

    /// Whether nothing is refuted.
    package var isOK: Bool { count(.refuted) == 0 }

    /// The test that a refutation is printed as: it holds the decision that was found.
    static func test(_ name: String, _ object: JSONObject, _ decision: Decision) -> String {
        let words = LuaText.quoted("not so: \(name)")
        return """
            test(\(words), function()
                local decision = given \(LuaText.table(object, indent: 1))
                -- It is \(decision.answer.rawValue) today; say what it should be.
                expect(decision, { answer = \(LuaText.quoted(decision.answer.rawValue)) })
            end)
            """
    }

    // MARK: - Output

    /// `{"properties":[{"name","point","kind","status","file","line","paths","case","decision","ran","test","because":{},"beside":{},
    /// "other":{"file","decision","aspect","before","after"}}]}`
    package var json: JSON {
        var object: JSONObject = ["properties": .array(results.map(\.json))]
        if !others.isEmpty { object["held_against"] = othersJSON }
        return .object(object)
    }

    /// `[{"file","sha256"}]`: the other policies that promises are held against.
    package var othersJSON: JSON {
        .array(others.map { ["file": .string($0.file), "sha256": .string($0.sha256)] })
    }

    /// `{"proved", "refuted", "unknown"}`: how many have come to that.
    package var counts: JSON {
        [
            "proved": .integer(Int64(count(.proved))), "refuted": .integer(Int64(count(.refuted))),
            "unknown": .integer(Int64(count(.unknown))),
        ]
    }

    package var summary: String {
        "\(count(.proved)) proved, \(count(.refuted)) refuted, \(count(.unknown)) unknown"
    }

    package var text: String {
        var text = ""
        for result in results where result.status == .refuted { text += result.refutation }
        for result in results where result.status == .unknown {
            let why = result.because.map { "\($0.file):\($0.line): \($0.message)" } ?? ""
            text += "unknown  \(result.title)\n         \(why)\n\(result.shownCase)"
        }
        for result in results where result.status == .proved {
            // What is the same as it is written needs no way to be gone.
            let paths = result.paths == 0 ? "" : ", \(result.paths) \(result.paths == 1 ? "path" : "paths")"
            text += "proved   \(result.title)\(paths)\n"
        }
        return text + summary
    }
}

extension ProofReport.Result {
    /// `checkout: a child takes what is meant for adults`
    package var title: String {
        switch kind {
        case "built in": "\(point.rawValue): \(name)"
        default: "\(point.rawValue), \(kind): \(name)"
        }
    }

    fileprivate var refutation: String {
        let place = line.map { "\(file):\($0): " } ?? ""
        var text = "refuted  \(place)\(title)\n"
        if let because { text += "         \(because.message)\n" }
        text += shownCase
        if let beside {
            text += "         the case beside it: \(JSON.object(beside).text())\n"
            text += Self.decided(decisionBeside)
            if let changeBeside { text += "         from the one to the other: \(changeBeside.words)\n" }
        }
        if let other {
            text += "         by \(other.file): \(Self.answer(other.decision))\n"
            text += "         \(other.change.words)\n"
        }
        for line in ran { text += "         \(line)\n" }
        if let test { text += test.split(separator: "\n").map { "    \($0)\n" }.joined() }
        return text
    }

    /// The case, and what is decided about it.
    fileprivate var shownCase: String {
        let words = question.map { "         the case: \(JSON.object($0).text())\n" } ?? ""
        return words + Self.decided(decision)
    }

    private static func decided(_ decision: JSON?) -> String {
        let words = answer(decision)
        return words.isEmpty ? "" : "         is decided: \(words)\n"
    }

    private static func answer(_ decision: JSON?) -> String {
        guard let answer = decision?["answer"]?.stringValue else { return "" }
        let code = decision?["refusal"]?["code"]?.stringValue.map { " (\($0))" } ?? ""
        let due = decision?["due"]?.stringValue.map { ", due \($0)" } ?? ""
        let effects = (decision?["effects"]?.arrayValue ?? []).compactMap(words(ofEffect:)).joined()
        let priority = decision?["priority"]?.integerValue.map { $0 == 0 ? "" : ", priority \($0)" } ?? ""
        let failure = decision?["failure"].flatMap { failure in
            failure["message"]?.stringValue.map { message in
                let place = failure["file"]?.stringValue.map { "\($0):\(failure["line"]?.integerValue ?? 1): " } ?? ""
                return "\n         because of \(message.hasPrefix(place) ? "" : place)\(message)"
            }
        }
        return "\(answer)\(code)\(due)\(priority)\(effects)\(failure ?? "")"
    }

    private static func words(ofEffect effect: JSON) -> String? {
        func text(_ member: String) -> String? { effect[member]?.stringValue }
        return switch text("effect") {
        case "fine": text("amount").map { ", a fine of \($0)" }
        case "charge": text("amount").map { ", a charge of \($0)" }
        case "rental": text("amount").map { ", a rental of \($0)" }
        case "suspend": text("until").map { ", suspended until \($0)" }
        case "lose": text("fee").map { ", lost for \($0)" } ?? ", lost"
        case "notice":
            text("stage").map { stage in ", a notice \"\(stage)\"" + (text("charge").map { " for \($0)" } ?? "") }
        default: nil
        }
    }

    var json: JSON {
        var object: JSONObject = [
            "name": .string(name), "point": .string(point.rawValue), "kind": .string(kind),
            "status": .string(status.rawValue), "file": .string(file),
            "line": line.map { .integer(Int64($0)) } ?? .null,
            "paths": .integer(Int64(paths)), "case": question.map { .object($0) } ?? .null,
            "decision": decision ?? .null, "ran": .array(ran.map { .string($0) }),
            "test": test.map { .string($0) } ?? .null,
        ]
        object["because"] =
            because.map {
                ["file": .string($0.file), "line": .integer(Int64($0.line)), "message": .string($0.message)]
            } ?? .null
        if let beside { object["beside"] = ["case": .object(beside), "decision": decisionBeside ?? .null] }
        if let other {
            object["other"] = [
                "file": .string(other.file), "decision": other.decision,
                "aspect": .string(other.change.aspect.rawValue),
                "before": .string(other.change.before.words), "after": .string(other.change.after.words),
            ]
        }
        return .object(object)
    }
}
