import Languages
import Scripting
import TextFormats

/// The page of a refusal: every reason as a sentence, and the way back.
enum RefusedPage {
    /// - Throws: what the store throws.
    static func view(_ refusal: JSONObject, back: String, _ call: PageCall) throws -> PageView {
        PageView(
            template: "refused", title: say("This request could not be completed"),
            fields: [
                "reasons": try reasons(of: refusal, call), "back": back,
                "mayBeOverridden": refusal["may_be_overridden"] == true,
                "isQuestion": refusal["details"]?["confirm"] == true,
            ], status: Problem.refusal(refusal).status)
    }

    /// Invalid input of a form.
    static func view(_ problem: Problem, _ call: PageCall) -> PageView {
        PageView(
            template: "refused", title: say("That did not work"),
            fields: [
                "reasons": [["message": PageWords.sentence(problem.detail)]],
                "back": call.request.referrer?.text ?? "/",
            ],
            status: problem.status)
    }

    /// All reasons of a refusal in order, each with its title where there are several.
    static func reasons(of refusal: JSONObject, _ call: PageCall) throws -> [[String: Any]] {
        let all = refusal["details"]?["reasons"]?.arrayValue ?? []
        let titles = Set(all.compactMap { $0["title"]?.integerValue })
        let reasons = try all.map { reason -> [String: Any] in
            var fields: [String: Any] = [
                "message": PageWords.sentence(reason["message"]) ?? say("The library's rules do not allow this.")
            ]
            if titles.count > 1 || reason["figures"]?["line"] != nil,
                let name = try call.titleName(reason["title"]?.integerValue)
            {
                fields["about"] = PageWords.safe(name)
            }
            return fields
        }
        if !reasons.isEmpty { return reasons }
        return [["message": PageWords.sentence(refusal["message"]) ?? say("The library's rules do not allow this.")]]
    }
}
