import Languages
import Scripting

extension Capability {
    /// What who grants it grants, behind "may": in the language of the page.
    var words: String {
        switch self {
        case .read: say("read the library")
        case .catalogueWrite: say("change titles and copies, decide on suggestions")
        case .patronsWrite: say("change patrons: their records, passwords, restrictions, links, ratings and lists")
        case .loansWrite: say("check out, renew, check in, place and change holds, say what is lost")
        case .loansOverride: say("go on in spite of a refusal that staff may override")
        case .cartWrite: say("change patrons' carts and check them out")
        case .marketWrite: say("change offers and orders, write messages about them")
        case .notificationsWrite: say("send messages to patrons")
        case .feesWrite: say("charge, take payments, waive and refund")
        case .settingsWrite: say("change branches, categories, item types, locations, hours and closures")
        case .sql: say("read the library by SQL")
        case .http: say("send data to servers that its settings name, and ask them")
        }
    }
}
