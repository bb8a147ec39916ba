import Languages
import Scripting

/// What the library is for, in three pages, for who comes for the first time.
enum WelcomePage: PageGroup {
    static let templates = [PageTemplate("welcome", PackageResources.welcome_mustache)]

    static let pages =
        [Page.shown("/welcome") { call in try view(1, call) }]
        + [Page.shown("/welcome/{step}") { call in try view(Int(call.values[0]) ?? 0, call) }]

    private static let steps: [(title: Phrase, text: Phrase)] = [
        (
            title: "Find and borrow",
            text: "Search by title, author, ISBN, course or college. The page of each title tells you whether you "
                + "can borrow it now and until when, or why not. If all copies are out, you can place a hold."
        ),
        (
            title: "Buy, rent, swap and give away",
            text:
                "On the market, members offer their own books to each other, for a price or for free. What it costs "
                + "is between the two of you, unless the library says otherwise. Others see the name you "
                + "choose, never your e-mail address or telephone number."
        ),
        (
            title: "Everything in one place",
            text: "Your account shows your loans and holds, your offers and orders, and messages from other "
                + "members. You get a reminder before anything is due."
        ),
    ]

    private static func view(_ step: Int, _ call: PageCall) throws -> PageView {
        guard steps.indices.contains(step - 1) else { throw Problem.notFound }
        var fields: [String: Any] = ["text": say(steps[step - 1].text), "step": step, "steps": steps.count]
        if step > 1 { fields["previous"] = step == 2 ? "/welcome" : "/welcome/\(step - 1)" }
        fields["next"] = step < steps.count ? "/welcome/\(step + 1)" : nil
        return PageView(template: "welcome", title: say(steps[step - 1].title), fields: fields)
    }
}
