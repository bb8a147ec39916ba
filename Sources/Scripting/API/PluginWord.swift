/// The words that plugins and their tests find beside those of scripts.
package enum PluginWord {
    /// What a plugin finds beside the API: the word it is made by, its settings, and what it keeps.
    package static let ofPlugins = ["plugin", "state.get", "state.set", "state.each"]

    /// What the tests of a plugin find beside the words of policies' tests.
    package static let ofTests = [
        "today", "call", "emit", "import", "export", "outbox", "travel", "failures", "run_job", "run_command",
        "run_report", "submit", "deliver", "migrate", "state.get", "state.set", "state.each", "http.reply",
        "http.requests",
    ]
}
