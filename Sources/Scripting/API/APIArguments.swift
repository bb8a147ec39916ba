/// The checked arguments of one call, or the fields of one table of named arguments.
package struct APIArguments {
    private var values: [String: APIValue] = [:]

    package init() {}

    package subscript<T: APIArgument>(_ name: String) -> T? { values[name].flatMap(T.argument) }

    /// What a field is after changes: as it was where nothing is said of it, nothing where it is taken away.
    package func changed<T: APIArgument>(_ name: String, _ before: T?) -> T? {
        if case .nothing? = values[name] { return nil }
        return self[name] ?? before
    }

    /// The argument as it was checked; nil where it was not given.
    func value(_ name: String) -> APIValue? { values[name] }

    /// Whether the argument was given.
    package func has(_ name: String) -> Bool { values[name] != nil }

    /// The names that were given.
    package var names: [String] { values.keys.sorted() }

    /// An argument that the declaration requires.
    ///
    /// - Throws: ``APIDeclarationError`` if the declaration and the body disagree: our own fault, which a script sees as
    ///   an error and never as a crash.
    package func need<T: APIArgument>(_ name: String) throws -> T {
        guard let value: T = self[name] else { throw APIDeclarationError(argument: name) }
        return value
    }

    mutating func set(_ name: String, to value: APIValue) { values[name] = value }
}

/// A function's body reads an argument that its declaration does not have, or has with another type.
struct APIDeclarationError: Error, CustomStringConvertible {
    let argument: String
    var description: String { "internal error: the argument '\(argument)' is declared otherwise than it is used" }
}
