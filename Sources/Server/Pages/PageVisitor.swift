import Circulation
import Desk
import Scripting
import Secrets

/// The browser that sent the request, and its session.
struct PageVisitor {
    let caller: Caller
    /// The token to which forms of this browser are bound; nil: it has none yet.
    let token: SecretToken?
    /// Whether a member of staff was logged in with it until the session expired: they are asked to log in where
    /// others find nothing.
    let wasStaff: Bool
    /// Tokens by which a form that it sends may be sealed.
    private let known: [SecretToken]

    /// - Throws: what the store throws.
    init(_ request: WebRequest, _ services: Services) throws {
        let session = PageCookie.shown(.session, in: request, services.settings)
        let visit = PageCookie.shown(.visit, in: request, services.settings)
        // A key for a program is not a session, although it authenticates by the header.
        if let session, var holder = try services.caller(token: session.text), holder.token?.kind == .session {
            if let code = PageCookie.text(.workplace, in: request, services.settings) {
                // Of a branch that was removed meanwhile nothing is kept.
                holder.workplace = try services.workplace(code, of: holder)
            }
            caller = holder
            token = session
            wasStaff = false
            known = [session]
        } else {
            caller = .anonymous
            token = visit
            let former = try session.flatMap { try services.accounts.formerHolder(of: $0.text) }
            wasStaff = former.map { $0.role != .patron } ?? false
            // A session that expired while the form was filled in leads to the log-in page, not to the error about
            // foreign forms.
            known = [session, visit].compactMap(\.self)
        }
    }

    /// - Throws: ``Problem`` if this server did not send the form to this browser.
    func check(_ form: PageForm, _ request: WebRequest, _ settings: ServerSettings) throws {
        guard !request.isFromElsewhere(settings), known.contains(where: { CSRFToken($0).matches(form["seal"] ?? "") })
        else {
            throw Problem(
                403, "foreign_form",
                "This form did not come from this library's website, or it has expired. Nothing was changed. Go "
                    + "back, reload the page and try again. Your browser must accept cookies.")
        }
    }
}
