package import TextFormats

/// What a call of an API function gives to a program that speaks JSON.
package enum APIAnswer: Hashable, Sendable {
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

    /// The name of the argument at fault, without those of the tables that it stands in; nil where the words begin with none.
    package var argument: String? {
        guard description.hasPrefix("'") else { return nil }
        return description.dropFirst().prefix { $0 != "'" }.split(separator: ".").last.map(String.init)
    }
}
