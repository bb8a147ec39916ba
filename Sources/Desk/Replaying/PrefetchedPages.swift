import Synchronization
import Threads

/// Pages that are read on a thread of their own, a few ahead of their reader.
///
/// From the first ``next()`` to ``end()`` what the pages are read from belongs to that thread. Where no thread can be had,
/// their reader reads them.
final class PrefetchedPages: ReplayPages {
    /// How many pages are read ahead.
    private static let most = 4

    private let pages: any ReplayPages
    private let handover = BoundedQueue<Result<[ReplayStream.Item]?, any Error>>(room: most)
    private var thread: WorkerThread?
    private var hasBegun = false
    private var isOver = false

    init(of pages: any ReplayPages) {
        self.pages = pages
    }

    func next() throws -> [ReplayStream.Item]? {
        begin()
        guard !isOver else { return nil }
        guard thread != nil else { return try pages.next() }
        guard let page = try handover.take()?.get() else {
            isOver = true
            return nil
        }
        return page
    }

    /// Waits until nothing is read any more.
    func end() {
        isOver = true
        handover.close()
        thread?.join()
        thread = nil
        pages.end()
    }

    private func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        thread = WorkerThread { [pages, handover] in
            while true {
                let page = Result { try pages.next() }
                guard handover.put(page), case .success(_?) = page else { return }
            }
        }
    }
}
