package import Scripting

/// One thing that can be asked for over HTTP: a function of the library's API by its route, for those who may.
///
/// What is read of a request, how it is checked, what it answers and what the OpenAPI document says of it all come from
/// the declarations of the two.
@dynamicMemberLookup
package struct Route: Sendable {
    /// The methods of HTTP.
    package typealias Verb = APIRoute.Verb
    /// Who may ask.
    package typealias Access = APIRoute.Access

    /// What does the work where that is not the function's own body.
    typealias Perform = @Sendable (RouteCall, APIArguments) throws -> APIResponse

    private let declared: APIRoute
    package let function: APIFunction
    let perform: Perform?
    /// The media type of a list that is answered as an array by itself; nil: answers are objects of plain JSON.
    package let media: String?
    /// Whether the answer can go on as a stream of server-sent events.
    package let isStreamed: Bool

    /// - Parameters:
    ///   - declared: the way to the function.
    ///   - media: of an answer that `perform` gives as `items` and `after`, from where the list goes on.
    ///   - perform: what does the work in the place of the function's body, in transactions of its own.
    init(
        _ declared: APIRoute, _ function: APIFunction, media: String? = nil, isStreamed: Bool = false,
        perform: Perform? = nil
    ) {
        self.declared = declared
        self.function = function
        self.media = media
        self.isStreamed = isStreamed
        self.perform = perform
    }

    package var verb: Verb { declared.verb }
    package var path: String { declared.path }
    package subscript<Value>(dynamicMember path: KeyPath<APIRoute, Value>) -> Value { declared[keyPath: path] }

    /// The group of routes that it is one of, for which keys can be issued.
    package var group: String { declared.group ?? function.module }

    /// Whether it changes the store, in one transaction.
    package var isWriting: Bool { function.capability.writes && !declared.isBeside }

    /// Whether it may take long: it goes through the whole collection or the whole log, a password is looked at, or another
    /// server is asked.
    var isLong: Bool { declared.isBeside || ["accounts", "events", "statistics"].contains(group) }

    /// Whether it can be repeated under a key.
    package var isRepeatable: Bool { isWriting || declared.isBeside }

    /// The arguments that are in the path.
    package var pathParameters: [APIParameter] {
        declared.pathNames.compactMap { name in function.ownMembers.first { $0.name == name } }
    }

    /// The arguments that come with the query, or in the body.
    package var otherParameters: [APIParameter] {
        let inPath = Set(declared.pathNames)
        return (function.ownMembers.filter { !inPath.contains($0.name) } + function.changes)
            .filter { !declared.hidden.contains($0.name) }
    }

    /// Whether the arguments that are not in the path come as a JSON object in the body.
    package var takesBody: Bool { declared.verb != .get && declared.verb != .delete && !otherParameters.isEmpty }

    /// The argument that is a picture; nil: it takes none.
    var pictureArgument: String? { otherParameters.first { $0.type == .picture }?.name }

    /// Whether it lists records a page at a time.
    package var isPaged: Bool {
        let names = otherParameters.map(\.name)
        return declared.verb == .get && names.contains("limit") && names.contains("offset")
    }

    /// The same with the arguments that the function takes in a library.
    func having(_ api: LibraryAPI) -> Route {
        Route(declared, api.function(function), media: media, isStreamed: isStreamed, perform: perform)
    }

    /// Whether the request has to give an argument.
    package func isRequired(_ parameter: APIParameter) -> Bool {
        parameter.isRequired && !declared.own.contains(parameter.name)
    }
}
