import ArgumentParser

/// `moonshelf plugin`
struct PluginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin",
        abstract: "Write, check, test and swap what the library automates.",
        discussion: """
            A plugin reacts to what happens at the desk: docs/writing-plugins.md. 'serve', 'schedule watch' and 'plugin work' \
            carry plugins out.
            """,
        subcommands: [
            PluginNewCommand.self, PluginCheckCommand.self, PluginTestCommand.self, PluginUseCommand.self,
            PluginListCommand.self, PluginShowCommand.self, PluginHistoryCommand.self, PluginDiffCommand.self,
            PluginRollbackCommand.self, PluginSettingsCommand.self, PluginDisableCommand.self,
            PluginEnableCommand.self, PluginRemoveCommand.self, PluginFailuresCommand.self,
            PluginRetryCommand.self, PluginRunCommand.self, PluginJobCommand.self, PluginReplayCommand.self,
            PluginWorkCommand.self,
        ])
}
