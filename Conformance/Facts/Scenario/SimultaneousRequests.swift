import Circulation
import Desk
import Foundation
import Storage
import Synchronization
import TextFormats

/// Requests at one and the same time, each of a thread, over a store in a file.
enum SimultaneousRequests {
    /// - Returns: the refusals among what came of them.
    static func checkouts(
        _ barcodes: [String], _ library: FactLibrary, _ branch: String?, by patron: String = FactLibrary.reader
    ) throws -> [Refusal] {
        let desk = library.desk(branch: branch)
        let results = Mutex<[Result<Refusal?, any Error>]>([])
        let threads = barcodes.map { barcode in
            Thread {
                let result = Result {
                    try desk.write { session in
                        try session.loans.checkout(
                            CheckoutRequest(patron: .username(patron), wanted: .barcode(barcode)))
                    }.refusal
                }
                results.withLock { $0.append(result) }
            }
        }
        for thread in threads {
            // A policy's state needs more room than a thread has by itself.
            thread.stackSize = 8 << 20
            thread.start()
        }
        while results.withLock({ $0.count }) < threads.count { Thread.sleep(forTimeInterval: 0.001) }
        return try results.withLock { $0 }.compactMap { try $0.get() }
    }
}
