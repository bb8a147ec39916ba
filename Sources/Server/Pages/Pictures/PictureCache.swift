import Synchronization

/// Pictures of other servers as this one hands them out, so that browsers contact the library alone: covers and what
/// sellers show.
///
/// It keeps pictures for a day and failures for ten minutes, within 32 MB. What is fetched at once and what
/// may wait for it is bounded, on threads apart from the desk's.
final class PictureCache: Sendable {
    private struct Entry {
        let picture: Picture?
        let until: ContinuousClock.Instant
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The oldest first.
        var order: [String] = []
        var bytes = 0

        mutating func forget(_ url: String) {
            bytes -= entries.removeValue(forKey: url)?.picture?.bytes.count ?? 0
        }

        mutating func remove(_ url: String) {
            guard entries[url] != nil else { return }
            forget(url)
            order.removeAll { $0 == url }
        }
    }

    static let mostBytes = 32 << 20
    static let mostEntries = 5_000

    private let source: (any PictureSource)?
    private let fetchers = WorkerPool(threads: 2, mostWaiting: 64)
    private let state = Mutex(State())
    private let clock: @Sendable () -> ContinuousClock.Instant

    init(_ source: (any PictureSource)?, clock: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.source = source
        self.clock = clock
    }

    deinit { fetchers.stop() }

    /// The picture at an address; nil if it cannot be fetched.
    ///
    /// - Throws: ``WorkerPool/Busy``.
    func picture(at url: String) async throws -> Picture? {
        guard let source else { return nil }
        if let entry = kept(url) { return entry.picture }
        return try await fetchers.run { [self] in
            // Others may have asked for the same meanwhile.
            if let entry = kept(url) { return entry.picture }
            let picture = (try? source.bytes(at: url)).flatMap(Picture.init)
            keep(picture, of: url)
            return picture
        }
    }

    private func kept(_ url: String) -> Entry? {
        let now = clock()
        return state.withLock { state in state.entries[url].flatMap { $0.until > now ? $0 : nil } }
    }

    private func keep(_ picture: Picture?, of url: String) {
        let until = clock() + (picture == nil ? .seconds(600) : .seconds(86_400))
        state.withLock { state in
            state.remove(url)
            state.entries[url] = Entry(picture: picture, until: until)
            state.order.append(url)
            state.bytes += picture?.bytes.count ?? 0
            var gone = 0
            while state.bytes > Self.mostBytes || state.entries.count > Self.mostEntries {
                state.forget(state.order[gone])
                gone += 1
            }
            state.order.removeFirst(gone)
        }
    }

    /// How many bytes and entries are kept.
    var size: (bytes: Int, entries: Int) { state.withLock { ($0.bytes, $0.entries.count) } }
}
