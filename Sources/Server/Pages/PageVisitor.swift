import Circulation
import Desk
import Secrets

/// The browser that asks, and who has logged in with it.
struct PageVisitor {
    let caller: Caller
    /// The token to which forms of this browser are bound; nil: it has none yet.
    let token: SecretToken?
    /// Whether somebody of the staff was logged in with it until their session ran out: they are asked to log in where others
    /// find nothing.
    let wasStaff: Bool
    /// Tokens by which a form that it sends may be sealed.
    private let known: [SecretToken]

    /// - Throws: what the store throws.
    init(_ request: WebRequest, _ services: Services) throws {
        let session = PageCookie.shown(.session, in: request, services.settings)
        let visit = PageCookie.shown(.visit, in: request, services.settings)
        // A key for a program is no session, though it lets in by the header.
        if let session, let holder = try services.accounts.holder(of: session.text), holder.token.kind == .session {
            caller = Caller(patron: holder.patron, token: holder.token)
            token = session
            wasStaff = false
            known = [session]
        } else {
            caller = .nobody
            token = visit
            let former = try session.flatMap { try services.accounts.formerHolder(of: $0.text) }
            wasStaff = former.map { $0.role != .patron } ?? false
            // A session that ran out while somebody wrote: they are asked to log in, not told that the form is foreign.
            known = [session, visit].compactMap(\.self)
        }
    }

    /// - Throws: ``Problem`` where the form is not one that this browser got from us.
    func check(_ form: PageForm, _ request: WebRequest, _ settings: ServerSettings) throws {
        guard !request.isFromElsewhere(settings), known.contains(where: { CSRFToken($0).matches(form["seal"] ?? "") })
        else {
            throw Problem(
                403, "foreign_form",
                "This form did not come from this library, or is too old. Nothing was changed. Go back, reload the page, "
                    + "and try again; the library's pages need cookies.")
        }
    }
}
