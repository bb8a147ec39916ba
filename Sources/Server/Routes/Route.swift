package import Scripting
import TextFormats

/// One thing that can be asked for over HTTP: a function of the library's API under a method and a path, for those who
/// may.
///
/// What is read of a request, how it is checked, what it answers and what the OpenAPI document says of it all come from
/// this one value.
package struct Route: Sendable {
    package enum Verb: String, Hashable, Sendable, CaseIterable { case get, post, put, patch, delete }

    /// Who may ask.
    package enum Access: String, Hashable, Sendable, CaseIterable {
        case everyone
        /// Everyone who is logged in.
        case holder
        case staff, admin
    }

    /// What does the work where that is not the function's own body.
    typealias Perform = @Sendable (RouteCall, APIArguments) throws -> APIAnswer
    /// Looks at a call before it is carried out, and may change its arguments.
    typealias Guardian = @Sendable (RouteCall, inout APIMembers) throws -> Void

    package let verb: Verb
    /// Below the root of the API; `{name}` stands for an argument.
    package let path: String
    package let tag: String
    package let function: APIFunction
    package let access: Access
    /// Arguments that are patrons: a caller who is not staff has to be each of those given, and is the first where none
    /// is given.
    let own: [String]
    /// The argument that names a record, which must be the caller's own unless they are staff.
    let owned: String?
    /// Arguments that the route itself gives.
    let fixed: JSONObject
    /// Arguments that do not come from outside.
    let hidden: Set<String>
    /// Arguments that staff alone may give.
    let staffOnly: Set<String>
    /// Whether what it answers was made by it: status 201.
    package let creates: Bool
    let guardian: Guardian?
    let perform: Perform?
    private let writes: Bool
    /// Whether it changes something outside of the transaction in which its answer is kept for who sends it again.
    let isBeside: Bool

    init(
        _ verb: Verb, _ path: String, _ tag: String, _ function: APIFunction, _ access: Access, own: [String] = [],
        owned: String? = nil, fixed: JSONObject = [:], hidden: Set<String> = [], staffOnly: Set<String> = [],
        creates: Bool = false, writes: Bool? = nil, isBeside: Bool = false, guardian: Guardian? = nil,
        perform: Perform? = nil
    ) {
        self.verb = verb
        self.path = path
        self.tag = tag
        self.function = function
        self.access = access
        self.own = own
        self.owned = owned
        self.fixed = fixed
        self.hidden = hidden.union(fixed.keys)
        self.staffOnly = staffOnly
        self.creates = creates
        self.writes = writes ?? function.capability.writes
        self.isBeside = isBeside
        self.guardian = guardian
        self.perform = perform
    }

    /// Whether it changes the store, in one transaction.
    package var isWriting: Bool { writes }

    /// Whether it can be repeated under a key.
    package var isRepeatable: Bool { writes || isBeside }

    /// A name that no other route has: `post /loans`.
    package var name: String { "\(verb.rawValue) \(path)" }

    /// The names in the path.
    package var pathNames: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// The arguments that are in the path.
    package var pathParameters: [APIParameter] {
        pathNames.compactMap { name in function.ownMembers.first { $0.name == name } }
    }

    /// The arguments that come with the query, or in the body.
    package var otherParameters: [APIParameter] {
        let inPath = Set(pathNames)
        return (function.ownMembers.filter { !inPath.contains($0.name) } + function.changes)
            .filter { !hidden.contains($0.name) }
    }

    /// Whether the arguments that are not in the path come as a JSON object in the body.
    package var takesBody: Bool { verb != .get && verb != .delete && !otherParameters.isEmpty }

    /// Whether it lists records a page at a time.
    package var isPaged: Bool {
        let names = otherParameters.map(\.name)
        return verb == .get && names.contains("limit") && names.contains("offset")
    }

    /// Whether the request has to give an argument.
    package func isRequired(_ parameter: APIParameter) -> Bool {
        parameter.isRequired && !own.contains(parameter.name)
    }
}
