package import LuaSyntax
package import Scripting
package import TextFormats

/// A kind of thing that plugins add to the library beside handlers of events: its key in the plugin's table, how its entries
/// are written, and which fields they have. The reader of manifests, the check, the loading of functions and what is shown of a plugin
/// follow from it; what carries the kind out asks ``PluginManifest/contributions(of:)`` and ``LoadedPlugin/call(_:_:_:)``.
package struct ContributionKind: Sendable {
    /// How the entries stand under the key.
    package enum Form: Sendable {
        /// A list of tables; the given field is an entry's name: `jobs = { { name = "list", ... } }`.
        case list(named: String)
        /// Tables by their names: `routes = { ["GET /courier"] = { ... } }`. A function alone stands for `{ run = function }`.
        case table
        /// Tables by two names, which are joined by a dot: `fields = { patron = { guardian = { ... } } }`.
        case nested
        /// Names of files: `reports = { "reports/late.lua" }`.
        case files
        /// One function: `migrate = function(from) ... end`.
        case function
    }

    /// A field of an entry.
    package struct Field: Sendable {
        /// What its value is.
        package enum Value: Sendable {
            /// Texts by names.
            case names
            case text, texts, integer, number, flag, function
            /// What a command line may say: ``Contribution/parameters``.
            case parameters
            /// The name of a file in the plugin's folder, which is kept with it.
            case file
            /// One of these texts.
            case oneOf([String])
            /// A text, a number, true or false.
            case plain
        }

        package let name: String
        package let value: Value
        package let isRequired: Bool

        package init(_ name: String, _ value: Value, isRequired: Bool = false) {
            self.name = name
            self.value = value
            self.isRequired = isRequired
        }
    }

    /// Its key in the plugin's table.
    package let key: String
    /// One of the kind, in the middle of a sentence: "a job".
    package let what: String
    package let form: Form
    package let fields: [Field]
    /// What is wrong with an entry beyond the types of its fields; nil: nothing.
    package let problem: @Sendable (Contribution) -> String?
    /// What is wrong with fields of an entry, each of which is named, seen with the rest of the plugin.
    package let faults: @Sendable (Contribution, PluginManifest) -> [Fault]

    /// What the first argument of an entry's function under a field has; nil: that is not checked.
    package let argument: @Sendable (Contribution, String, LibraryAPI) -> FieldTree?

    /// What is wrong with an entry: in the field that is named, or as a whole.
    package struct Fault: Sendable {
        package let field: String?
        package let message: String

        package init(_ field: String?, _ message: String) {
            self.field = field
            self.message = message
        }
    }

    package init(
        _ key: String, _ what: String, _ form: Form, _ fields: [Field] = [],
        faults: @escaping @Sendable (Contribution, PluginManifest) -> [Fault] = { _, _ in [] },
        argument: @escaping @Sendable (Contribution, String, LibraryAPI) -> FieldTree? = { _, _, _ in nil },
        problem: @escaping @Sendable (Contribution) -> String? = { _ in nil }
    ) {
        self.key = key
        self.what = what
        self.form = form
        self.fields = fields
        self.faults = faults
        self.argument = argument
        self.problem = problem
    }

    /// The field under which the function of an entry stands that has but one.
    package static let run = "run"

    /// All kinds that this version carries out. A further one is listed here.
    package static let all: [ContributionKind] = [
        .fields, jobs, commands, routes, pages, forms, imports, exports, channels, reports, migrate,
    ]
}

/// One thing that a plugin adds: one entry under the key of its kind.
package struct Contribution: Sendable {
    /// The key of its kind.
    package let kind: String
    /// Its name; within a plugin no other of the kind has the same.
    package let name: String
    /// Where it stands in `plugin.lua`.
    package let range: SourceRange
    /// The keys that lead to it from the plugin's table.
    let path: [LuaKey]
    /// Its fields that are not functions, as they are written.
    package var values: JSONObject = [:]
    /// What it takes from a command line.
    package var parameters: [ScriptParameter] = []
    /// Where the values of its fields stand.
    var ranges: [String: SourceRange] = [:]
    /// The fields that are functions; nil where one is not written out.
    var functions: [String: FunctionBody?] = [:]

    /// A key of a Lua table.
    enum LuaKey: Hashable, Sendable {
        case name(String)
        case place(Int)
    }

    /// Whether it has a function under a field.
    package func has(_ function: String) -> Bool { functions[function] != nil }

    /// The text of a field; nil: it has none.
    package func text(_ field: String) -> String? { values[field]?.stringValue }

    /// The texts of a field, none where it has none.
    package func texts(_ field: String) -> [String] { values[field]?.arrayValue?.compactMap(\.stringValue) ?? [] }
}

extension ContributionKind.Field {
    /// What its value is, in the middle of a sentence.
    var expected: String {
        switch value {
        case .text, .oneOf: "a text that is written out"
        case .texts: "a list of texts that are written out"
        case .names: "a table of texts that are written out"
        case .integer: "a whole number"
        case .number: "a number"
        case .flag: "true or false"
        case .function: "a function"
        case .file: "the name of a file in the plugin's folder"
        case .parameters: "a table such as { list = \"file\" }"
        case .plain: "a text, a number, true or false, written out"
        }
    }
}
