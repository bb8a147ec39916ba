import Desk
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Scripting
import ServiceLifecycle
import Synchronization

/// Listens for HTTP and passes requests to the desk.
package struct WebServer: Sendable {
    private let desk: WebResponder
    private let settings: ServerSettings
    private let host: String
    private let port: Int

    /// The most bytes of an address, and of a field of the head. The parser accepts more, so that a larger request gets
    /// an answer.
    private static let mostHeadBytes = 16 << 10
    /// So many bodies that are larger than usual are read at once.
    private static let mostLargeBodies = 8
    private let largeBodies = LargeBodies(most: WebServer.mostLargeBodies)

    package init(_ desk: WebResponder, settings: ServerSettings, host: String, port: Int) {
        self.desk = desk
        self.settings = settings
        self.host = host
        self.port = port
    }

    /// Serves until its task is cancelled. Then new connections are refused, idle ones are closed, and what is being
    /// answered is still answered, for as long as a request may take.
    ///
    /// - Parameter onRunning: called with the port once the server listens.
    /// - Throws: ``ListeningFailure``.
    package func run(onRunning: @escaping @Sendable (Int) async -> Void) async throws {
        var logger = Logger(label: "moonshelf.http")
        logger.logLevel = .critical
        let limiter = ConnectionLimiter(
            most: settings.mostConnections, mostFromAddress: settings.mostConnectionsFromAddress)
        let settings = settings
        let loop = EventLoopExecutor(MultiThreadedEventLoopGroup.singleton.any())
        let application = Application(
            responder: CallbackResponder { (request: Request, context: WebContext) in
                await respond(to: request, context, on: loop)
            },
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        HTTPConnection(limiter: limiter, settings: settings)
                    ],
                    idleTimeout: .seconds(Int64(settings.secondsOfSilence ?? settings.seconds * 2)),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 64 << 10, maxHeaderListSize: 80 << 10, maxHeaderFieldCount: 100))),
            configuration: .init(
                address: .hostname(host, port: port), serverName: "moonshelf",
                availableConnectionsDelegate: MaximumAvailableConnections(settings.mostConnections)),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? port) },
            eventLoopGroupProvider: .shared(loop.eventLoop), logger: logger)
        do {
            try await Self.run(application, on: loop, grace: .seconds(settings.seconds), logger)
        } catch let error as IOError {
            throw ListeningFailure(error, host, port)
        }
    }

    /// Runs the service until the task is cancelled, which asks the service to shut down gracefully.
    private static func run(
        _ service: some Service, on executor: any TaskExecutor, grace: Duration, _ logger: Logger
    ) async throws {
        var configuration = ServiceGroupConfiguration(services: [service], logger: logger)
        configuration.maximumGracefulShutdownDuration = grace
        let group = ServiceGroup(configuration: configuration)
        let running = Task(executorPreference: executor) { try await group.run() }
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
    }

    private func respond(
        to request: Request, _ context: WebContext, on loop: EventLoopExecutor
    ) async -> Response {
        var fields = request.headers.map { (name: $0.name.canonicalName, value: $0.value) }
        // Hummingbird's HTTP types keep it apart from the header.
        if let host = request.head.authority { fields.append((name: "host", value: host)) }
        let parts = (request.head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var web = WebRequest(
            request.method.rawValue, String(parts[0]), query: parts.count > 1 ? String(parts[1]) : nil, fields: fields,
            address: Self.sender(context.address, fields, settings.trustedProxies))
        do {
            try Self.checkHead(web)
            let most = desk.mostBytes(of: web)
            web.body =
                most > settings.mostBytes
                ? try await largeBodies.taking { try await body(of: request, most) }
                : try await body(of: request, most)
        } catch {
            let problem = error as? Problem ?? Problem(400, "body", "The request was interrupted.")
            return Self.farewell(desk.answer(problem, to: web), on: context.channel)
        }
        if let answer = await desk.stream(web) { return Self.response(answer) }
        let time = TimeAmount.seconds(Int64(settings.seconds))
        return Self.response(
            await desk.answer(web, on: loop) { late in
                let alarm = loop.eventLoop.scheduleTask(in: time, late)
                return { alarm.cancel() }
            })
    }

    private static func checkHead(_ request: WebRequest) throws(Problem) {
        if request.path.utf8.count + (request.query?.utf8.count ?? 0) >= mostHeadBytes {
            throw Problem(400, "too_long", "An address must be shorter than \(mostHeadBytes) bytes.")
        }
        if let field = request.fields.first(where: { $0.value.utf8.count > mostHeadBytes }) {
            throw Problem(400, "too_long", "The field '\(field.name)' has more than \(mostHeadBytes) bytes.")
        }
    }

    /// The whole body. A body that is too slow or too large is answered with a problem.
    private func body(of request: Request, _ most: Int) async throws -> [UInt8] {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > most {
            throw Problem(413, "too_large", "What you sent is too large: at most \(most) bytes are allowed.")
        }
        var bytes: [UInt8] = []
        do {
            for try await buffer in request.body {
                bytes += buffer.readableBytesView
                guard bytes.count <= most else {
                    throw Problem(
                        413, "too_large",
                        "What you sent is too large: at most \(most) bytes are allowed.")
                }
            }
        } catch is SlowBody {
            throw Problem(
                408, "too_slow", "The request was not completed within \(settings.seconds) seconds.")
        }
        return bytes
    }

    /// The sender's address, as a trusted proxy reports it. Proxies append the address they saw to the list, so that
    /// the last address that is not a trusted proxy's is the sender's; earlier ones may be forged.
    private static func sender(
        _ address: String, _ fields: [(name: String, value: String)], _ trusted: [AddressRange]
    ) -> String {
        func isTrusted(_ address: ClientAddress) -> Bool { trusted.contains { $0.contains(address) } }
        guard !trusted.isEmpty, isTrusted(ClientAddress(address)) else { return address }
        let named = fields.filter { $0.name == "x-forwarded-for" }.flatMap { $0.value.split(separator: ",") }
        var sender = address
        for text in named.reversed() {
            let client = ClientAddress(String(text))
            guard client.isNumeric else { break }
            sender = client.bare
            guard isTrusted(client) else { break }
        }
        return sender
    }

    private static func response(_ answer: WebResponse) -> Response {
        var fields = HTTPFields()
        for (name, value) in answer.fields.sorted(by: { $0.key < $1.key }) {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        for cookie in answer.cookies { fields.append(HTTPField(name: .setCookie, value: cookie)) }
        return Response(
            status: .init(code: answer.status), headers: fields,
            body: answer.body.isEmpty ? .init() : .init(byteBuffer: ByteBuffer(bytes: answer.body)))
    }

    /// A stream ends with the server: those who read it come again.
    private static func response(_ answer: StreamedAnswer) -> Response {
        switch answer {
        case .whole(let answer): return response(answer)
        case .stream(let head, let stream):
            var response = response(head)
            response.body = ResponseBody { writer in
                for await text in stream { try await writer.write(ByteBuffer(string: text)) }
                try await writer.finish(nil)
            }
            return response
        }
    }

    /// Answers a request whose body was not read to its end, then closes the connection.
    private static func farewell(_ answer: WebResponse, on channel: any Channel) -> Response {
        var response = response(answer)
        response.headers[.connection] = "close"
        let bytes = ByteBuffer(bytes: answer.body)
        response.body = ResponseBody(contentLength: bytes.readableBytes) { writer in
            try await writer.write(bytes)
            try await writer.finish(nil)
            try await LingeringClose.end(channel)
        }
        return response
    }
}

/// How many bodies larger than usual are read at once: each lies in memory before it is known who sends it.
private final class LargeBodies: Sendable {
    private let free: Mutex<Int>

    init(most: Int) {
        free = Mutex(most)
    }

    /// - Throws: ``Problem`` where too many are read.
    func taking(_ body: () async throws -> [UInt8]) async throws -> [UInt8] {
        let isFree = free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
        guard isFree else { throw Problem.busy }
        defer { free.withLock { $0 += 1 } }
        return try await body()
    }
}

/// The context of a request.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let address: String
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        address = source.channel.remoteAddress?.ipAddress ?? "unknown"
    }
}
