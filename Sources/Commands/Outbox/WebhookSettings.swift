import Desk
import TOMLKit

/// The subscriptions that a configuration names: its tables `[webhooks.NAME]`.
struct WebhookSettings {
    static let tables = ["webhooks"]

    /// nil: it says nothing about them.
    private(set) var subscriptions: [ConfiguredWebhook]?

    /// - Throws: ``CommandFailure`` that names file, key and what was expected.
    init(_ file: ConfigurationFile) throws(CommandFailure) {
        guard let value = try file.table()["webhooks"] else { return }
        var subscriptions: [ConfiguredWebhook] = []
        guard let table = value.table else {
            throw CommandFailure(
                .wrongUsage, code: "configuration",
                message: "'webhooks' must be a table of tables: [webhooks.NAME].", file: file.name)
        }
        for name in table.keys.sorted() {
            guard var section = try ConfigurationSection(name, under: "webhooks", of: table, file: file) else {
                continue
            }
            let secret = try section.secret("secret_file", nil)
            let one = ConfiguredWebhook(
                name: name, url: try section.needed("url"), events: try section.texts("events"),
                secret: secret.map { String(decoding: $0, as: UTF8.self) })
            for event in one.events where EventDeclaration.named(event) == nil {
                throw section.fault(
                    "events", "lists names of events; \(EventDeclaration.unknown(event))", near: event)
            }
            try section.finish()
            subscriptions.append(one)
        }
        self.subscriptions = subscriptions
    }

    /// Brings the store's subscriptions in line with the configuration.
    ///
    /// - Throws: ``CommandFailure`` where one cannot be; what the store throws.
    func apply(at desk: Desk, by sender: any RequestSender) throws {
        guard let subscriptions, try !desk.read({ try $0.webhooks.have(subscriptions) }) else { return }
        _ = try desk.write { try $0.webhooks.configure(subscriptions, by: sender) }.orFailure()
    }
}
