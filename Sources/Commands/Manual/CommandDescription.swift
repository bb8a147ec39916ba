import ArgumentParser
import TextFormats

/// What the argument parser declares about a command: its own words, options and subcommands.
struct CommandDescription {
    struct Argument {
        enum Kind: String { case positional, option, flag }

        var kind: Kind
        /// With their hyphens, as `-h` and `--help`.
        var names: [String]
        var valueName: String
        var abstract: String
        var isOptional: Bool
        var isRepeating: Bool
        var standard: String?
        var section: String?
    }

    var name: String
    var abstract: String
    var discussion: String
    var arguments: [Argument]
    var subcommands: [CommandDescription]

    /// The whole program, as `moonshelf --experimental-dump-help` has it.
    ///
    /// - Throws: ``TextFormats/JSONError``, or ``Fault`` if the parser's description of itself has changed its form.
    static func program() throws -> CommandDescription { try CommandDescription(of: Moonshelf.self) }

    /// One command and what is below it.
    ///
    /// - Throws: as ``program()``.
    init(of command: any ParsableCommand.Type) throws {
        guard let json = try JSONParser.parse(command._dumpHelp())["command"] else { throw Fault() }
        try self.init(json)
    }

    struct Fault: Error, CustomStringConvertible {
        var description: String { "the argument parser describes commands in a way that is not known" }
    }

    private init(_ json: JSON) throws {
        guard let name = json["commandName"]?.stringValue else { throw Fault() }
        self.name = name
        abstract = json["abstract"]?.stringValue ?? ""
        discussion = json["discussion"]?.stringValue ?? ""
        arguments = try (json["arguments"]?.arrayValue ?? []).map(Argument.init)
        subcommands = try (json["subcommands"]?.arrayValue ?? [])
            .filter { $0["shouldDisplay"]?.boolValue != false && $0["commandName"]?.stringValue != "help" }
            .map(CommandDescription.init)
    }
}

extension CommandDescription.Argument {
    fileprivate init(_ json: JSON) throws {
        guard let kind = json["kind"]?.stringValue.flatMap(Kind.init(rawValue:)) else {
            throw CommandDescription.Fault()
        }
        self.kind = kind
        names = (json["names"]?.arrayValue ?? []).compactMap { name in
            name["name"]?.stringValue.map { (name["kind"]?.stringValue == "short" ? "-" : "--") + $0 }
        }
        valueName = json["valueName"]?.stringValue ?? ""
        abstract = json["abstract"]?.stringValue ?? ""
        isOptional = json["isOptional"]?.boolValue ?? true
        isRepeating = json["isRepeating"]?.boolValue ?? false
        standard = json["defaultValue"]?.stringValue
        section = json["sectionTitle"]?.stringValue
    }
}
