import Circulation
import Foundation
import Outbound
import TOMLKit

/// How messages are sent: the table `[delivery]` of `moonshelf.toml`, and those of the channels.
struct DeliverySettings: Hashable, Sendable {
    struct Mail: Hashable, Sendable {
        var server: MailServer
        var from: MailParty
        var replyTo: MailParty?
        var perMinute: Int?
        var quietHours: QuietHours?
    }

    struct Web: Hashable, Sendable {
        var endpoint: WebEndpoint
        var secret: [UInt8]
        var perMinute: Int?
        var quietHours: QuietHours?
    }

    var mail: Mail?
    /// By channel: those by which messages are posted.
    var web: [String: Web] = [:]
    /// The number of failed attempts after which a message is given up.
    var tries: Int64 = 8
    var limits = OutboundLimits()

    /// The quiet hours of each channel.
    func quietHours(of channel: String) -> QuietHours? {
        channel == NoticeChannel.email.name ? mail?.quietHours : web[channel]?.quietHours
    }

    static let tables = NoticeChannel.sent.map(\.table) + ["delivery"]
    /// The tables of the channels as documentation names them.
    static let channelTables = NoticeChannel.sent.map { "[\($0.table)]" }.joined(separator: ", ")

    /// No channel but the inbox.
    init() {}

    /// - Throws: ``CommandFailure`` that names file, key and what was expected.
    init(_ file: ConfigurationFile, environment: [String: String]) throws(CommandFailure) {
        let table = try file.table()
        if var section = try ConfigurationSection("delivery", of: table, file: file) {
            tries = Int64(try section.number("tries", 1...100) ?? 8)
            let connecting = try section.number("connect_timeout", 1...600)
            let inAll = try section.number("time_limit", 1...3_600)
            limits = OutboundLimits(
                connecting: .seconds(connecting ?? 10), inAll: .seconds(inAll ?? max(60, connecting ?? 0)))
            try section.finish()
        }
        for channel in NoticeChannel.sent {
            guard var section = try ConfigurationSection(channel.table, of: table, file: file) else { continue }
            switch channel.carrier {
            case .mail: mail = try Self.mail(&section, limits, environment)
            case .post: web[channel.name] = try Self.web(&section, limits, environment)
            case .plugin, nil: break
            }
            try section.finish()
        }
    }

    private static func mail(
        _ section: inout ConfigurationSection, _ limits: OutboundLimits, _ environment: [String: String]
    ) throws(CommandFailure) -> Mail {
        let encryption = try section.choice("tls", MailServer.Encryption.self) ?? .required
        let user = try section.text("user")
        let secret = try section.secret("password_file", environment["MOONSHELF_MAIL_PASSWORD"])
        if user != nil && secret == nil {
            throw section.fault(
                "password_file", "must name a file with the password of 'user'; or set MOONSHELF_MAIL_PASSWORD")
        }
        let (url, authorities) = (try section.needed("url"), try section.file("ca_file"))
        let server: MailServer
        do throws(OutboundFailure) {
            server = try MailServer(
                url: url, encryption: encryption, user: user,
                password: user == nil ? nil : secret.map { String(decoding: $0, as: UTF8.self) },
                authorities: authorities, limits: limits)
        } catch {
            throw section.fault("url", error.message)
        }
        guard let from = try section.party("from") else {
            throw section.fault("from", "must be an address, such as \"City Library <desk@example.org>\"")
        }
        return Mail(
            server: server, from: from, replyTo: try section.party("reply_to"),
            perMinute: try section.number("per_minute", 1...100_000), quietHours: try section.quietHours())
    }

    private static func web(
        _ section: inout ConfigurationSection, _ limits: OutboundLimits, _ environment: [String: String]
    ) throws(CommandFailure) -> Web {
        let variable = "MOONSHELF_\(section.name.uppercased())_SECRET"
        guard let secret = try section.secret("secret_file", environment[variable]) else {
            throw section.fault("secret_file", "must name a file with the secret that signs; or set \(variable)")
        }
        guard secret.count >= 16 else { throw section.fault("secret_file", "must hold a secret of 16 bytes at least") }
        let (url, plain) = (try section.needed("url"), try section.flag("plain") ?? false)
        let authorities = try section.file("ca_file")
        let endpoint: WebEndpoint
        do throws(OutboundFailure) {
            endpoint = try WebEndpoint(url, allowsPlain: plain, authorities: authorities, limits: limits)
        } catch {
            throw section.fault("url", error.message + (plain ? "" : ", unless 'plain' is true"))
        }
        return Web(
            endpoint: endpoint, secret: secret, perMinute: try section.number("per_minute", 1...100_000),
            quietHours: try section.quietHours())
    }
}
