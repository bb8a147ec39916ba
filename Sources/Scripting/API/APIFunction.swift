package import LuaRuntime

/// A function of the Lua API: everything that is known about it, and what it does.
///
/// The binding with its argument checks, `help()`, completion, editor stubs, the reference, what the static check knows, the
/// route over HTTP with its description and the tests of its examples all come from this one value.
package struct APIFunction: Sendable {
    /// What runs when a script calls it, with arguments that fit the declaration.
    package typealias Body = @Sendable (APICall) throws -> [LuaValue]

    /// The module, empty for a global function.
    package internal(set) var module: String
    package let name: String
    /// One sentence.
    package let summary: String
    /// What a summary cannot hold; paragraphs.
    package let details: String
    package internal(set) var parameters: [APIParameter]
    package let result: APIResult
    /// Codes of the refusals it may answer with beside the policy's own.
    package let refusals: [String]
    package let capability: Capability
    /// Whether a call may ask servers instead of changing something, and sees to that by itself.
    let asks: Bool
    /// How it is asked for over HTTP; nil: it is not.
    package let route: APIRoute?
    package let examples: [APIExample]
    /// Who may call it in a caller's name where it has no route; nil: as its module says.
    package internal(set) var callers: APIRoute.Access?
    let body: Body

    package init(
        _ name: String, _ summary: String, details: String = "", _ parameters: [APIParameter] = [],
        returns result: APIResult, refusals: [String] = [], needs capability: Capability = .read,
        asks: Bool = false, route: APIRoute? = nil, callers: APIRoute.Access? = nil, examples: [APIExample],
        body: @escaping Body
    ) {
        self.module = ""
        self.name = name
        self.summary = summary
        self.details = details
        self.parameters = parameters
        self.result = result
        self.refusals = refusals
        self.capability = capability
        self.asks = asks
        self.route = route
        self.callers = callers
        self.examples = examples
        self.body = body
    }

    /// The same with its examples one by one.
    init(
        _ name: String, _ summary: String, details: String = "", _ parameters: [APIParameter] = [],
        returns result: APIResult, refusals: [String] = [], needs capability: Capability = .read,
        asks: Bool = false, route: APIRoute? = nil, callers: APIRoute.Access? = nil, examples: APIExample...,
        body: @escaping Body
    ) {
        self.init(
            name, summary, details: details, parameters, returns: result, refusals: refusals, needs: capability,
            asks: asks, route: route, callers: callers, examples: examples, body: body)
    }

    /// The name as a script writes it.
    package var fullName: String { module.isEmpty ? name : "\(module).\(name)" }

    /// Who may call it in a caller's name, such as by the route of a plugin: as over HTTP. What has no route of its own and
    /// is not declared to be for others is for staff where it reads the desk, and for administrators where it changes something or asks by SQL.
    package var access: APIRoute.Access {
        if let declared = route?.access ?? callers { return declared }
        return capability == .read ? .staff : capability.writes || capability == .sql ? .admin : .everyone
    }

    /// The group of functions for which keys can be issued.
    package var group: String { route?.group ?? module }

    /// Whether a key has to be for changes to call it.
    package var isForChanges: Bool { route.map { $0.verb != .get } ?? capability.writes }

    /// The named arguments, if the function takes one table of them.
    package var namedArguments: [APIParameter]? {
        guard parameters.count == 1, case .fields(let fields) = parameters[0].type else { return nil }
        return fields
    }

    /// How it is called: `loans.active{ patron }`, `calendar.is_open(date [, branch])`.
    package var signature: String {
        if let fields = namedArguments {
            return fullName + "{ " + fields.map { $0.isRequired ? $0.name : "[\($0.name)]" }.joined(separator: ", ")
                + " }"
        }
        var text = ""
        for (index, parameter) in parameters.enumerated() {
            let separator = index == 0 ? "" : ", "
            text += parameter.isRequired ? separator + parameter.name : "[\(separator)\(parameter.name)]"
        }
        return "\(fullName)(\(text))"
    }
}

/// What a function gives back.
package enum APIResult: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// Always a value.
    case value(APIType)
    /// The value, or nil where nothing is found.
    case found(APIType)
    /// The value, or nil and a refusal.
    case written(APIType)
    /// An iterator for the generic `for`.
    case each(APIType)

    package var text: String {
        switch self {
        case .nothing: "nothing"
        case .value(let type): type.name
        case .found(let type): "\(type.name), or nil"
        case .written(let type): "\(type.name), or nil and a refusal"
        case .each(let type): "iterator over \(type.name)"
        }
    }

    /// The type itself, nil for none.
    package var type: APIType? {
        switch self {
        case .nothing: nil
        case .value(let type), .found(let type), .written(let type), .each(let type): type
        }
    }
}
