import Circulation
package import Storage

extension Desk {
    /// Checks that the events tell how the tables came about, and the invariants of the store. Reads only.
    ///
    /// All events are applied to an empty store beside it, by the code that applies them live, and its tables are
    /// compared with those that are there, row by row. What is personal stands outside the events and is not compared.
    /// Memory does not grow with the store: the one beside it is a file. No transaction lasts longer than a page, or than one
    /// of the questions that the database answers by itself.
    ///
    /// - Parameters:
    ///   - limit: the most findings for each table.
    ///   - anchors: ends of the chain of events at earlier times: each must still be a part of it.
    ///   - checkpoint: a file in which it keeps how far it is with the events. If it is there already, and of this store, the
    ///     events up to where it ends are not proved again.
    package func examine(
        limit: Int = 100, anchors: [EventChain.Link] = [], checkpoint: String? = nil
    ) throws -> DoctorReport {
        let examination = try Examination(store, limit: limit, anchors: anchors, checkpoint: checkpoint)
        try examination.run()
        var report = examination.report
        for finding in try IntegrityRepository.findings(in: store, limit: Int64(limit)) {
            report.broken.append(
                DoctorReport.Broken(
                    invariant: finding.invariant, table: finding.table, id: finding.id ?? "",
                    message: finding.message))
        }
        try checkAccounts(&report)
        try checkOrders(&report)
        try store.read { try checkPolicies($0, &report) }
        try checkSweep(&report, limit: limit)
        return report
    }

    /// All records of a kind by id, each page in a transaction of its own.
    private func forEach<Rows: RecordRepository>(
        _ rows: KeyPath<Transaction, Rows>, _ body: (Rows.Record) -> Void
    ) throws {
        var last: Int64? = .min
        while let id = last {
            let page = try store.read { try $0[keyPath: rows].page(after: id, limit: Transaction.pageSize) }
            page.forEach(body)
            last = page.last?.id
        }
    }

    /// An order comes to the sum of its lines, and each is owed to the library or to the seller of one of its items.
    private func checkOrders(_ report: inout DoctorReport) throws {
        try forEach(\.orders) { order in
            let sum = try? PriceLine.total(of: order.lines, in: order.total.currency)
            if sum != order.total {
                report.broken.append(
                    DoctorReport.Broken(
                        invariant: "order_total", table: "orders", id: "\(order.id)",
                        message: "It does not come to the sum of its lines."))
            }
            let items = 1...Int64(max(1, order.items.count))
            if !order.lines.allSatisfy({ $0.item.map(items.contains) ?? true }) {
                report.broken.append(
                    DoctorReport.Broken(
                        invariant: "order_lines", table: "orders", id: "\(order.id)",
                        message: "A line is owed to the seller of an item that is not in the order."))
            }
        }
    }

    /// A version that is stored must still be what it is called.
    private func checkPolicies(_ transaction: Transaction, _ report: inout DoctorReport) throws {
        for version in try transaction.policies.versions() {
            guard let bundle = try transaction.policies.bundle(version) else { continue }
            guard shelf.loader.digest(of: bundle.files) != version else { continue }
            report.broken.append(
                DoctorReport.Broken(
                    invariant: "policy_digest", table: "policy_versions", id: version,
                    message: "The files are not those that were activated under this SHA-256."))
        }
    }

    /// A balance is the sum of its lines, and what was fined for a loan is never less than nothing.
    private func checkAccounts(_ report: inout DoctorReport) throws {
        var balances: [Int64: Int64] = [:]
        try forEach(\.ledger) { entry in
            guard entry.patron != 0 else { return }
            let (sum, overflow) = balances[entry.patron, default: 0].addingReportingOverflow(entry.amount.minorUnits)
            balances[entry.patron] = sum
            if overflow {
                report.broken.append(
                    DoctorReport.Broken(
                        invariant: "ledger_sum", table: "ledger", id: "\(entry.id)",
                        message: "The balance of patron \(entry.patron) leaves 64 bits."))
            }
        }
    }
}
