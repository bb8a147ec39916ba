/// The way to a function of the Lua API over HTTP: a method and a path, and who may go it.
package struct APIRoute: Hashable, Sendable {
    /// The methods of HTTP.
    package enum Verb: String, Hashable, Sendable, CaseIterable { case get, post, put, patch, delete }

    /// Who may ask.
    package enum Access: String, Hashable, Sendable, CaseIterable {
        case everyone
        /// Everyone who is logged in.
        case holder
        case staff, admin

        /// For documentation.
        var words: String {
            switch self {
            case .everyone: "for everyone"
            case .holder: "for every logged-in account"
            case .staff: "for staff"
            case .admin: "for administrators"
            }
        }
    }

    /// What the server looks at before a call is carried out; it knows the caller.
    package enum Guardian: String, Hashable, Sendable, CaseIterable {
        /// Listings that are not offered are listed for their sellers and for staff.
        case listings
        /// A listing that is not offered exists for its seller and for staff.
        case listing
        /// A private list exists for its owner alone.
        case titleList
        /// An account is not removed in passing.
        case notOneself
        /// Administrators alone give roles.
        case noRole
    }

    package let verb: Verb
    /// Below the root of the API; `{name}` stands for an argument.
    package let path: String
    package let access: Access
    /// The group of routes for which keys can be issued; nil: the function's module.
    package let group: String?
    /// Arguments that are patrons: a caller who is not staff has to be each of those given, and is the first where none
    /// is given.
    package let own: [String]
    /// The argument that names a record, which must be the caller's own unless they are staff.
    package let owned: String?
    /// Arguments that do not come from outside.
    package let hidden: Set<String>
    /// Arguments that staff alone may give.
    package let staffOnly: Set<String>
    /// Whether what it answers was made by it: status 201.
    package let creates: Bool
    /// Whether it changes something outside of the transaction in which its answer is kept for who sends it again:
    /// services that are asked may be slow.
    package let isBeside: Bool
    package let guardian: Guardian?

    /// A route; its properties tell what each argument means.
    package init(
        _ verb: Verb, _ path: String, _ access: Access, group: String? = nil, own: [String] = [],
        owned: String? = nil, hidden: Set<String> = [], staffOnly: Set<String> = [], creates: Bool = false,
        isBeside: Bool = false, guardian: Guardian? = nil
    ) {
        self.verb = verb
        self.path = path
        self.access = access
        self.group = group
        self.own = own
        self.owned = owned
        self.hidden = hidden
        self.staffOnly = staffOnly
        self.creates = creates
        self.isBeside = isBeside
        self.guardian = guardian
    }

    /// What staff alone may say of a request that a policy decides.
    static let overriding: Set<String> = ["override", "reason", "barcode"]

    /// A name that no other route has: `post /loans`.
    package var name: String { "\(verb.rawValue) \(path)" }

    /// The names in the path.
    package var pathNames: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }
}
