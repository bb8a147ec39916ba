package import Circulation
package import Desk
package import LuaRuntime
import Scripting
import TextFormats

/// Brings messages to people by the channels of plugins, and all others by another way.
package struct PluginDelivery: Delivery {
    /// Calls the function of a channel with a message; nil: the plugin is no longer in force, or has no such channel.
    package typealias Caller = (_ channel: PluginPart, _ notice: LuaValue) throws -> [LuaValue]?

    private let other: any Delivery
    private let added: [String: Contribution]
    private let call: Caller

    /// - Parameter added: the channels of plugins, by the names that messages have for them.
    package init(_ other: any Delivery, added: [String: Contribution], call: @escaping Caller) {
        self.other = other
        self.added = added
        self.call = call
    }

    /// The channels of the plugins that are in force now. A version that comes into force meanwhile sends the messages from then
    /// on.
    ///
    /// - Throws: what the store throws.
    package init(_ other: any Delivery, of pool: PluginPool, at desk: Desk) throws {
        let active = try desk.read { try pool.active(in: $0) }
        let channels = active.flatMap { plugin in
            plugin.manifest.contributions(of: .channels).map { entry in
                (PluginPart(plugin: plugin.plugin.name, name: entry.name).description, entry)
            }
        }
        self.init(other, added: Dictionary(channels) { first, _ in first }) { part, notice in
            let active = try desk.read { try pool.active(in: $0) }.first { $0.plugin.name == part.plugin }
            guard let active,
                let entry = active.manifest.contributions(of: .channels).first(where: { $0.name == part.name })
            else { return nil }
            return try pool.with(active.plugin) { plugin in
                do {
                    let completed = plugin.context.completed(notice, patronUnder: "patron")
                    return try plugin.call(entry, ContributionKind.run, [completed])
                } catch let fault as PluginFault {
                    fault.keep(of: active.plugin, entry, at: desk)
                    throw fault
                }
            }
        }
    }

    package var channels: Set<String> { other.channels.union(added.keys) }
    package var timeLimit: Duration { other.timeLimit }

    package func messagesAMinute(by channel: String) -> Int? {
        guard let entry = added[channel] else { return other.messagesAMinute(by: channel) }
        return entry.values["per_minute"]?.integerValue.map { Int($0) }
    }

    package func quietHours(of channel: String) -> QuietHours? {
        guard let entry = added[channel] else { return other.quietHours(of: channel) }
        return entry.text("quiet_hours").flatMap { QuietHours(parsing: $0) }
    }

    package func deliver(_ consignment: Consignment) -> DeliveryOutcome {
        guard let entry = added[consignment.notice.channel], let part = PluginPart(consignment.notice.channel) else {
            return other.deliver(consignment)
        }
        let patron = consignment.recipient
        let kind = entry.text("address")
        let address = kind == "email" ? patron.email : kind == "phone" ? patron.phone : nil
        if kind != nil, address?.isEmpty ?? true {
            return .failed(kind == "email" ? .noEmail : .noPhone)
        }
        do {
            guard let answer = try call(part, ChannelNotice.table(consignment, address)) else {
                return .failed(
                    DeliveryFault("plugin_gone", "The plugin '\(part.plugin)' is not in force.", concernsChannel: true))
            }
            return Self.outcome(answer.first ?? .nil)
        } catch {
            // It may have sent before it failed.
            return .failed(
                DeliveryFault("plugin_failed", "\(error)", concernsChannel: true, mayHaveArrived: true))
        }
    }

    private static func outcome(_ answer: LuaValue) -> DeliveryOutcome {
        switch answer {
        case .boolean(true): .delivered
        case .string(let words): .failed(DeliveryFault("plugin_refused", SafeText.line(words), isFinal: true))
        case .table(let table) where table["retry"].stringValue != nil:
            .failed(DeliveryFault("plugin_busy", SafeText.line(table["retry"].stringValue ?? "")))
        default:
            .failed(
                DeliveryFault(
                    "plugin_failed",
                    "The channel gave a \(answer.typeName) back; expected true, a text or { retry = \"why\" }.",
                    concernsChannel: true, mayHaveArrived: true))
        }
    }
}
