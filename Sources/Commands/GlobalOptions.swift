import ArgumentParser

/// What every command takes, before its name or after it.
struct GlobalOptions: ParsableArguments {
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

    /// The options of the command, those of the program where it is silent.
    func over(_ outer: GlobalOptions) -> GlobalOptions {
        var options = self
        options.store = store ?? outer.store
        options.config = config ?? outer.config
        options.policy = policy ?? outer.policy
        options.now = now ?? outer.now
        return options
    }
}
