import ArgumentParser

/// The options of every command, before its name or after it.
typealias GlobalOptions = CommonOptions<AnyCommand>

/// The options of ``GlobalOptions``, once for each kind of reader: the parser reads a type once and hands it on to the
/// commands below, also where it stopped before their options, as it does for a command that captures all that follows.
struct CommonOptions<Reader>: ParsableArguments {
    @Option(help: ArgumentHelp("The store: sqlite:PATH, sqlite::memory: or postgres://...", valueName: "URL"))
    var store: String?

    @Option(
        help: ArgumentHelp("The configuration, instead of moonshelf.toml in this folder.", valueName: "FILE"),
        completion: .file(extensions: ["toml"]))
    var config: String?

    @Option(
        help: ArgumentHelp("A policy to decide by, instead of the one in force.", valueName: "FILE"),
        completion: .file(extensions: ["lua"]))
    var policy: String?

    @Option(help: ArgumentHelp("The moment that counts as now.", valueName: "ISO8601"))
    var now: String?

    /// The options of the command, or those of the program where the command has none.
    func over<Outer>(_ outer: CommonOptions<Outer>) -> CommonOptions<Outer> {
        var options = outer
        options.store = store ?? outer.store
        options.config = config ?? outer.config
        options.policy = policy ?? outer.policy
        options.now = now ?? outer.now
        return options
    }
}

enum AnyCommand {}

/// A command whose options end where the arguments of a script begin.
enum CapturingCommand {}
