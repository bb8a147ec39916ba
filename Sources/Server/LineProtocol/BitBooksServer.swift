package import Desk
import NIOCore
import NIOPosix

/// BitBooks' line protocol over TCP, so that its clients work unchanged: `docs/bitbooks.md` describes its verbs and
/// answers.
///
/// Connections wait on event loops; commands are carried out on the threads of the desk, those of one connection one
/// after the other. There is no TLS in the protocol: it listens on loopback unless the settings name another address.
package final class BitBooksServer: Sendable {
    private let conversation: LineConversation
    private let settings: LineProtocolSettings
    private let limiter: ConnectionLimiter

    /// Listening ended without a request to stop.
    package struct Ended: Error, CustomStringConvertible {
        package var description: String { "The line protocol listens no more." }
    }

    /// - Parameters:
    ///   - desk: patrons act at it for themselves, in the role `patron`, by the channel `web`.
    ///   - accounts: must be allowed to make accounts and sessions, as a desk of staff is.
    ///   - lanes: must go on for as long as the server runs.
    ///   - report: called with each command that could not be carried out.
    package init(
        desk: Desk, accounts: AccountManager, lanes: WorkerLanes,
        settings: LineProtocolSettings = LineProtocolSettings(),
        report: @escaping @Sendable (LineFault) -> Void = { _ in }
    ) {
        self.settings = settings
        conversation = LineConversation(
            desk: LineCommands(desk: desk, accounts: accounts, settings: settings), lanes: lanes, report: report)
        limiter = ConnectionLimiter(
            most: settings.mostConnections, mostFromAddress: settings.mostConnectionsFromAddress)
    }

    /// How many are connected now.
    package var connections: Int { limiter.count }

    /// Serves until its task is cancelled; once. Then new connections are refused, waiting ones are closed, commands in
    /// hand are answered whole within ``LineProtocolSettings/grace``, and it returns when all of that is over.
    ///
    /// - Parameter onListening: called with the address it listens at, which matters with port 0.
    /// - Throws: ``ListeningFailure``; ``Ended``.
    package func run(onListening: @Sendable (_ host: String, _ port: Int) -> Void = { _, _ in }) async throws {
        let listener: any Channel
        do {
            listener = try await listen()
        } catch let error as IOError {
            throw ListeningFailure(error, settings.host, settings.port)
        }
        onListening(listener.localAddress?.ipAddress ?? settings.host, listener.localAddress?.port ?? settings.port)
        await withTaskCancellationHandler {
            try? await listener.closeFuture.get()
        } onCancel: {
            listener.close(promise: nil)
        }
        let wasTold = Task.isCancelled
        await stop(listener.eventLoop)
        if !wasTold { throw Ended() }
    }

    private func listen() async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // What the system keeps for a client, twice that at most, or a thousand of them had gigabytes of it.
            .childChannelOption(.socketOption(.so_rcvbuf), value: 64 << 10)
            .childChannelOption(.socketOption(.so_sndbuf), value: 256 << 10)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4_096))
            .childChannelInitializer { [conversation, settings, limiter] channel in
                channel.eventLoop.makeCompletedFuture {
                    let address = ClientAddress(channel.remoteAddress?.ipAddress ?? "local")
                    guard limiter.admit(channel, from: address.key) else {
                        return try channel.pipeline.syncOperations.addHandler(TurnedAway())
                    }
                    let connection = LineConnection(
                        conversation: conversation, settings: settings, address: address
                    ) { limiter.leave(channel) }
                    do {
                        try channel.pipeline.syncOperations.addHandler(connection)
                    } catch {
                        limiter.leave(channel)
                        throw error
                    }
                }
            }
            .bind(host: settings.host, port: settings.port).get()
    }

    private func stop(_ loop: any EventLoop) async {
        limiter.close()
        for channel in limiter.channels { channel.pipeline.fireUserInboundEventTriggered(LineConnection.Stop()) }
        let force = loop.scheduleTask(in: TimeAmount(settings.grace)) { [limiter] in
            for channel in limiter.channels { channel.close(promise: nil) }
        }
        await limiter.emptied()
        force.cancel()
    }
}

/// Tells a client that the server is full, and closes.
private final class TurnedAway: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelActive(context: ChannelHandlerContext) {
        let words = context.channel.allocator.buffer(string: LineWords.busy)
        context.writeAndFlush(wrapOutboundOut(words), promise: nil)
        context.close(promise: nil)
    }
}
