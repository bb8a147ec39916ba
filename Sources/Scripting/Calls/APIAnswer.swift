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
}
