import NIOCore

/// Ends a connection whose client may still be sending.
///
/// Closing a connection with unread bytes discards the answer that was sent last. So the write side
/// is shut down at once, and incoming bytes are dropped for a limited time.
final class LingeringClose: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var rest = 4 << 20
    private var alarm: Scheduled<Void>?

    private static let time = TimeAmount.seconds(2)

    /// Returns once the connection is closed.
    static func end(_ channel: any Channel) async throws {
        try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(LingeringClose(), position: .first)
        }.get()
        try await channel.close(mode: .output)
        try await channel.closeFuture.get()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        alarm = context.eventLoop.scheduleTask(in: Self.time) { channel.close(promise: nil) }
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        rest -= unwrapInboundIn(data).readableBytes
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if rest > 0 { context.read() } else { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        alarm?.cancel()
        context.fireChannelInactive()
    }
}
