import Circulation
package import Desk
package import Storage
import TextFormats

/// Brings files into a store: titles, copies, patrons, loans, settings.
///
/// Good records are kept in transactions of a few milliseconds each, with pauses for those who lend meanwhile; bad ones are
/// reported with their place and the reason. Importing a file again adds nothing.
package final class Importer {
    /// How far an import has come.
    package struct Progress: Sendable {
        package var file: String
        package var records: Int
        package var bytesRead: Int
        /// nil where the size is not known.
        package var bytesInAll: Int?
    }

    private let desk: Desk
    private let options: ImportOptions
    private let progress: (Progress) -> Void
    private let noting: (ImportProblem) -> Void
    private let tally: RowCounter
    private let translators: [any TableTranslator]
    /// Sources that were opened before the one transaction of all began, by the place of their file.
    private var opened: [Int: any RecordSource] = [:]
    private var report = ImportReport()
    private var pace = ChorePace()
    private var passwords = PasswordApplier.none
    /// To be hashed once the one transaction of all has ended.
    private var wanted: [PasswordIntake.Wanted] = []
    /// Copies that are out without a loan, as the titles of files say.
    private var given: [(file: String, copies: [GivenCopies])] = []

    /// - Parameters:
    ///   - tally: counts the identical rows of a file; it may keep its counts on disk.
    ///   - translators: read what others alone know. They are asked outside of transactions.
    ///   - progress: called after each batch.
    ///   - noting: called with each problem, also with those of which a report gives only the number.
    package init(
        desk: Desk, options: ImportOptions, tally: RowCounter, translators: [any TableTranslator] = [],
        progress: @escaping (Progress) -> Void = { _ in }, noting: @escaping (ImportProblem) -> Void = { _ in }
    ) {
        self.noting = noting
        self.translators = translators
        self.desk = desk
        self.options = options
        self.tally = tally
        self.progress = progress
    }

    /// Imports files in the order given; a folder stands for the files in it.
    ///
    /// - Throws: ``ImportProblem`` if a file cannot be read at all or is of no known kind: then nothing of that file,
    ///   and with `isStrict` or `isDryRun` nothing at all, is kept; errors of the store.
    package func run(paths: [String]) throws -> ImportReport {
        var files = try ImportFiles.expand(paths)
        // Its tables are known, and so is which of them name the records of which.
        if options.format == .bitbooks { files = ImportFiles.inOrder(files) }
        let intake = options.passwords == .taken ? try PasswordIntake(desk) : nil
        passwords = PasswordApplier(choice: options.passwords, intake: intake)
        if options.isDryRun || options.isStrict { try translate(files) }
        if options.isDryRun {
            try desk.rehearse { session in try importAll(files, into: .one(session)) }
            // Nothing is hashed of what is not kept.
            report.passwords.taken = Int64(wanted.count)
        } else if options.isStrict {
            do {
                try desk.write(isLong: true) { session in
                    try importAll(files, into: .one(session))
                    if report.rejected > 0 { throw Rejected() }
                }
                try take(wanted)
            } catch is Rejected {
                report.added = 0
                report.updated = 0
                report.arrivals = ArrivalReport()
                report.passwords = ArrivedPasswords()
                report.kinds = ImportedKinds()
                report.declared = []
            }
        } else {
            try importAll(files, into: .batches)
        }
        if !options.isDryRun { try desk.placeTitles() }
        return report
    }

    /// Imports files within a transaction that is under way, which is whole or nothing with them.
    package func run(paths: [String], in session: DeskSession) throws -> ImportReport {
        try importAll(ImportFiles.expand(paths), into: .one(session))
        return report
    }

    /// Undoes a strict import.
    private struct Rejected: Error {}

    /// Whether each batch has a transaction of its own, or all share one.
    private enum Transactions {
        case batches
        case one(DeskSession)
    }

    private func importAll(_ files: [ImportFiles.File], into transactions: Transactions) throws {
        try keepPolicy(transactions)
        let before = try totals(transactions)
        let (fields, currency) = try library(transactions)
        for (index, file) in files.enumerated() {
            let source =
                try opened.removeValue(forKey: index)
                ?? file.open(options, translators, tally: tally, fields: fields, currency: currency)
            try importFile(file, source, into: transactions)
        }
        try reportGiven(transactions)
        if let before, let after = try totals(transactions) {
            report.totals = ImportReport.Totals(before: before, after: after)
        }
    }

    private func totals(_ transactions: Transactions) throws -> StoreTotals? {
        guard options.countsStore else { return nil }
        switch transactions {
        case .batches: return try desk.read { try StoreTotals(of: $0) }
        case .one(let session): return try StoreTotals(of: session)
        }
    }

    /// Keeps the version that was named for the loans, where the library never had it.
    private func keepPolicy(_ transactions: Transactions) throws {
        guard let bundle = options.arrivals.bundle else { return }
        func keep(_ session: DeskSession) throws {
            _ = try session.policies.keep(bundle, note: "For loans that came along").orRefuse(field: nil)
        }
        switch transactions {
        case .batches: try desk.write { try keep($0) }
        case .one(let session): try keep(session)
        }
    }

    /// Has translators do all that is theirs before a transaction begins that would wait for them.
    private func translate(_ files: [ImportFiles.File]) throws {
        guard !translators.isEmpty else { return }
        let (fields, currency) = try library(.batches)
        for (index, file) in files.enumerated() {
            try tally.reset()
            var source = try file.open(options, translators, tally: tally, fields: fields, currency: currency)
            if var translated = source as? TranslatedSource {
                try translated.translateAll()
                source = translated
            }
            opened[index] = source
        }
    }

    private func library(_ transactions: Transactions) throws -> (fields: CustomFields, currency: Currency) {
        func of(_ session: DeskSession) throws -> (CustomFields, Currency) {
            (try session.settings.customFields(), try session.settings.library().currency)
        }
        return switch transactions {
        case .batches: try desk.read(of)
        case .one(let session): try of(session)
        }
    }

    private func finish(_ applier: RecordApplier, in transactions: Transactions) throws {
        guard applier.isUnfinished else { return }
        switch transactions {
        case .batches: add(try desk.write(isLong: true) { try applier.finish(in: $0) })
        case .one(let session): add(try applier.finish(in: session))
        }
    }

    private func importFile(
        _ file: ImportFiles.File, _ source: any RecordSource, into transactions: Transactions
    ) throws {
        var source = source
        report.files.append(source.description)
        try tally.reset()
        let applier = RecordApplier(
            run: ImportRun(
                tally: tally, arrivals: options.arrivals, repeated: options.repeated, passwords: passwords))
        defer { if !applier.run.given.isEmpty { given.append((file.path, applier.run.given)) } }
        var records = 0
        while true {
            var batch: [ReadRecord] = []
            while batch.count < options.batch, let record = try source.next() {
                batch.append(record)
            }
            guard !batch.isEmpty else {
                try finish(applier, in: transactions)
                return
            }
            // What is said to be kept is kept: the records of the transactions that have ended.
            func note(_ count: Int) {
                records += count
                progress(
                    Progress(file: file.path, records: records, bytesRead: source.bytesRead, bytesInAll: file.size))
            }
            switch transactions {
            case .batches: try apply(batch, by: applier, note)
            case .one(let session):
                let part = try applier.apply(batch[...], in: session)
                add(part.report)
                wanted += part.wanted
                note(batch.count)
            }
        }
    }
}

extension Importer {
    /// Adds what a batch came to.
    private func add(_ part: ImportReport) {
        for problem in part.problems { noting(problem) }
        report.add(part)
    }

    /// Applies a batch in as many transactions as it takes for others not to wait long for one.
    private func apply(_ batch: [ReadRecord], by applier: RecordApplier, _ note: (Int) -> Void) throws {
        var rest = batch[...]
        while !rest.isEmpty {
            let part = try pace.turn(of: desk) { try applier.apply(rest, in: $0, until: $1) }
            add(part.report)
            try take(part.wanted)
            rest = rest.dropFirst(part.count)
            note(part.count)
        }
    }
}

extension Importer {
    /// Hashes passwords and sets them, between transactions.
    private func take(_ wanted: [PasswordIntake.Wanted]) throws {
        guard !wanted.isEmpty, let intake = passwords.intake else { return }
        report.passwords.taken += Int64(try intake.take(wanted))
    }

    /// Reports copies that are out without a loan, once the loans of all files have come.
    private func reportGiven(_ transactions: Transactions) throws {
        for (file, copies) in given {
            var rest = copies[...]
            while !rest.isEmpty {
                let part = rest.prefix(500)
                func problems(_ session: DeskSession) throws -> [ImportProblem] {
                    try part.compactMap { try $0.problem(in: file, session) }
                }
                let found =
                    switch transactions {
                    case .batches: try desk.read(problems)
                    case .one(let session): try problems(session)
                    }
                for problem in found { report.note(problem) }
                rest = rest.dropFirst(part.count)
            }
        }
        given = []
    }
}

extension ImportReport {
    /// Adds what a batch came to.
    mutating func add(_ other: ImportReport) {
        read += other.read
        added += other.added
        updated += other.updated
        unchanged += other.unchanged
        repaired += other.repaired
        rejected += other.rejected
        likelyDuplicates += other.likelyDuplicates
        arrivals.add(other.arrivals)
        passwords.add(other.passwords)
        kinds.add(other.kinds)
        declared += other.declared
        for problem in other.problems { note(problem) }
    }
}
