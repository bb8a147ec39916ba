import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Listens for HTTP and hands what comes to the desk.
package struct WebServer: Sendable {
    private let desk: WebDesk
    private let settings: ServerSettings
    private let host: String
    private let port: Int

    /// The most connections at once.
    private static let mostConnections = 2_000

    package init(_ desk: WebDesk, settings: ServerSettings, host: String, port: Int) {
        self.desk = desk
        self.settings = settings
        self.host = host
        self.port = port
    }

    /// Serves until its task is cancelled; what is being answered then is still answered.
    ///
    /// - Parameter onRunning: is told the port, once it is listened at.
    /// - Throws: ``ListeningFailure``.
    package func run(onRunning: @escaping @Sendable (Int) async -> Void) async throws {
        var logger = Logger(label: "moonshelf.http")
        logger.logLevel = .critical
        let application = Application(
            responder: CallbackResponder { (request: Request, context: WebContext) in
                try await respond(to: request, from: context.address)
            },
            server: .http1(
                configuration: .init(
                    idleTimeout: .seconds(Int64(settings.seconds) * 2),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100))),
            configuration: .init(
                address: .hostname(host, port: port), serverName: "moonshelf",
                availableConnectionsDelegate: MaximumAvailableConnections(Self.mostConnections)),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? port) }, logger: logger)
        do {
            try await application.run()
        } catch let error as IOError {
            throw ListeningFailure(error, host, port)
        }
    }

    private func respond(to request: Request, from address: String) async throws -> Response {
        let fields = request.headers.map { (name: $0.name.canonicalName, value: $0.value) }
        let parts = (request.head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var web = WebRequest(
            request.method.rawValue, String(parts[0]), query: parts.count > 1 ? String(parts[1]) : nil, fields: fields,
            address: Self.sender(address, fields, settings.trustedProxies))
        do {
            web.body = try await body(of: request)
        } catch let problem as Problem {
            return Self.response(WebAnswer(problem), closes: true)
        }
        let (desk, seconds) = (desk, settings.seconds)
        return Self.response(await desk.answer(web, within: .seconds(seconds)))
    }

    /// The whole body. Whoever sends it too slowly, or too much of it, is told so.
    private func body(of request: Request) async throws -> [UInt8] {
        let most = settings.mostBytes
        if let length = request.headers[.contentLength].flatMap(Int.init), length > most {
            throw Problem(413, "too_large", "A body has at most \(most) bytes.")
        }
        return try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask {
                var bytes: [UInt8] = []
                for try await buffer in request.body {
                    bytes += buffer.readableBytesView
                    guard bytes.count <= most else {
                        throw Problem(413, "too_large", "A body has at most \(most) bytes.")
                    }
                }
                return bytes
            }
            group.addTask { [seconds = settings.seconds] in
                try await Task.sleep(for: .seconds(seconds))
                throw Problem(408, "too_slow", "The request did not come to its end in \(seconds) seconds.")
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }

    /// Who sent it: whoever a proxy that is trusted says.
    private static func sender(
        _ address: String, _ fields: [(name: String, value: String)], _ trusted: Set<String>
    ) -> String {
        guard trusted.contains(address), let value = fields.last(where: { $0.name == "x-forwarded-for" })?.value,
            let last = value.split(separator: ",").last
        else { return address }
        return String(last).trimmingSpaces()
    }

    private static func response(_ answer: WebAnswer, closes: Bool = false) -> Response {
        var fields = HTTPFields()
        for (name, value) in answer.fields.sorted(by: { $0.key < $1.key }) {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        if closes { fields[.connection] = "close" }
        return Response(
            status: .init(code: answer.status), headers: fields,
            body: answer.body.isEmpty ? .init() : .init(byteBuffer: ByteBuffer(bytes: answer.body)))
    }
}

/// What is known of a request beside itself.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let address: String

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? "unknown"
    }
}
