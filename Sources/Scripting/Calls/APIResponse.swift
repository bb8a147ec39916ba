package import TextFormats

/// What a call of an API function gives to a program that speaks JSON.
package enum APIResponse: Hashable, Sendable {
    case value(JSON)
    case nothing
    /// What was asked for is not there.
    case notFound
    /// The answer is no; the refusal as JSON has it, with at least `code` and `message`.
    case refused(JSONObject)
}

/// Arguments that a function does not take as they are.
package struct APIArgumentFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong, with the argument's name.
    package let description: String

    /// The name of the argument at fault, without those of the tables that it stands in; nil where it is not known.
    package let argument: String?

    /// - Parameter argument: nil: the one with which the words begin, if they do.
    init(description: String, argument: String? = nil) {
        self.description = description
        let quoted = description.hasPrefix("'") ? description.dropFirst().prefix { $0 != "'" } : ""
        self.argument = argument ?? quoted.split(separator: ".").last.map(String.init)
    }
}
