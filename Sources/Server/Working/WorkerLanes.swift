import Circulation
import Glibc

/// The threads on which requests are answered: those who change something, those who only look and what takes long have
/// lanes of their own, so that none of the three waits for another one's queue.
///
/// Where processors are scarce the desk comes first: the threads of the others give way to its own, and there are only
/// as many readers at once as there are processors to read on.
package final class WorkerLanes: Sendable {
    /// What staff ask for, and what those change who are logged in.
    package let desk: WorkerPool
    /// What everyone may look at.
    package let reading: WorkerPool
    /// What goes through all there is, or looks at passwords, which are made to take long.
    package let long: WorkerPool

    /// - Parameters:
    ///   - threads: how much goes on at once at the desk, the waits for the disk among it.
    ///   - readers: how much is read at once; nil: as much as there are processors, two at least and eight at most.
    ///   - mostWaiting: how much may wait in each lane.
    package init(threads: Int, readers: Int? = nil, mostWaiting: Int) {
        desk = WorkerPool(threads: threads, mostWaiting: mostWaiting)
        let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        reading = WorkerPool(
            threads: readers ?? min(8, max(2, processors)), mostWaiting: mostWaiting, name: "reading", givesWay: true)
        long = WorkerPool(
            threads: min(threads, max(2, threads / 4)), mostWaiting: mostWaiting, name: "long", givesWay: true)
    }

    package var all: [(name: String, pool: WorkerPool)] { [("desk", desk), ("reading", reading), ("long", long)] }

    /// Whether each has a thread at least.
    package var areManned: Bool { all.allSatisfy { $0.pool.threads > 0 } }

    /// Takes nothing more; what waits is still done.
    package func stop() { for lane in all { lane.pool.stop() } }
}

extension Services {
    /// On which threads a request is answered. Who asks is only guessed at here, by who showed the same token before: a
    /// first request waits with those of everyone.
    func lane(of request: WebRequest, isLong: Bool = false) -> WorkerPool {
        if isLong { return lanes.long }
        switch callers.role(of: request, settings) {
        case nil: return lanes.reading
        case .patron: return ["GET", "HEAD"].contains(request.method) ? lanes.reading : lanes.desk
        case .staff, .admin: return lanes.desk
        }
    }
}
