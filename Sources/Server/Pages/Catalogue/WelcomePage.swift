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
            text: "Search by any word of a title, an author, an ISBN, a course or a college. A title's page says "
                + "whether you may borrow it now and until when, or else every reason why not. You can place a hold on "
                + "what is out."
        ),
        (
            title: "Buy, rent, swap and give away",
            text:
                "On the market members offer their own books to each other, with a price or without. What it costs is "
                + "between the two of you, unless the library says otherwise. Others see the name that you choose, "
                + "never your e-mail address or telephone number."
        ),
        (
            title: "Everything in one place",
            text: "Your account has your loans and holds, your offers and orders, and what others write to you. "
                + "Reminders come before something is due."
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
