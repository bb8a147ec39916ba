import Circulation

/// One argument of a function, or one field of a table of named arguments.
package struct APIParameter: Hashable, Sendable {
    package let name: String
    package let type: APIType
    package let isRequired: Bool
    package let documentation: String
    /// What holds when it is left out, as Lua would write it.
    package let standard: String?
    /// Whose fields of the library's own stand in it and, declared ones, beside it.
    var owner: CustomField.Owner?
    /// Whether `none`, over HTTP null, takes the value away.
    package internal(set) var canBeNone = false

    /// An argument that has to be given.
    package static func required(_ name: String, _ type: APIType, _ documentation: String = "") -> APIParameter {
        APIParameter(name: name, type: type, isRequired: true, documentation: documentation, standard: nil)
    }

    /// An argument that may be left out.
    package static func optional(
        _ name: String, _ type: APIType, _ documentation: String = "", standard: String? = nil
    ) -> APIParameter {
        APIParameter(name: name, type: type, isRequired: false, documentation: documentation, standard: standard)
    }

    /// One of the changes of a record that takes away what is there if it is `none`.
    static func clearable(_ name: String, _ type: APIType, _ documentation: String = "") -> APIParameter {
        var parameter = optional(name, type, documentation)
        parameter.canBeNone = true
        return parameter
    }

    /// The fields of the library's own.
    static func extra(of owner: CustomField.Owner) -> APIParameter {
        var extra = optional("extra", .json, "fields of the library's own: a table with names")
        extra.owner = owner
        return extra
    }

    /// The same of another type.
    func of(_ type: APIType) -> APIParameter {
        APIParameter(
            name: name, type: type, isRequired: isRequired, documentation: documentation, standard: standard,
            owner: owner, canBeNone: canBeNone)
    }

    /// How much of a list is answered, and from where: every list that grows has both.
    static func part(_ standard: Int, of limits: ClosedRange<Int64> = 1...100_000) -> [APIParameter] {
        [
            .optional("limit", .integer(limits), "how many at most", standard: "\(standard)"),
            .optional("offset", .count, "how many to pass over at the beginning", standard: "0"),
        ]
    }
}

extension [APIParameter] {
    /// One table of named arguments, and nothing else.
    static func named(_ name: String, _ arguments: APIParameter...) -> [APIParameter] { named(name, arguments) }

    /// One table of named arguments, and nothing else.
    static func named(_ name: String, _ arguments: [APIParameter]) -> [APIParameter] {
        [.required(name, .fields(arguments))]
    }
}
