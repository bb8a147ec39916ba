import Circulation
import Desk
import Foundation
import Storage
import Synchronization
import TextFormats

/// Facts about requests at one and the same time: two threads over a store in a file.
enum SimultaneousFacts {
    static let knows: @Sendable (Operation) -> Bool = { $0.names("simultaneous") || $0.names("concurrent") }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        guard reading.operation.names("checkout") else {
            throw NotExpressed("only checkouts are tried at the same time")
        }
        let words = reading.operation.text.split(separator: " ")
        let count = words.lazy.compactMap { NumberWords.number($0) }.first ?? 2
        guard (2...20).contains(count) else { throw NotExpressed("2 to 20 requests can be made at the same time") }
        let plan = reading.plan()
        try plan.readDesk()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("conformance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteStore.open(.file(folder.appendingPathComponent("desk.db").path), create: true)
        defer { try? store.close() }
        let (library, title) = try plan.openLibrary(store: store)
        try plan.beginOperation(library, title)
        let barcodes = try (1...Int(count)).map { number in
            try library.addTitle("wanted\(number)", itemType: plan.itemType).barcodes.first ?? ""
        }
        let refusals = try checkouts(barcodes, library, plan.branch)
        library.note("\(barcodes.count) requests at the same time: \(refusals.count) refused")
        reading.answer("succeeded", number: Int64(barcodes.count - refusals.count))
        reading.answer("refused", number: Int64(refusals.count))
        let names = refusals.first.map { plan.names(of: $0, at: .checkout) } ?? []
        reading.answer("reason", word: names, own: refusals.first?.message ?? "none refused")
    }

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
