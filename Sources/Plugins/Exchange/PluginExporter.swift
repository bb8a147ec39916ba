package import Desk
import Interchange
package import LuaRuntime
import MARC
import Scripting
import TextFormats

/// Writes the tables that a plugin exports. Nothing of them is kept in memory.
package final class PluginExporter {
    private let plugin: LoadedPlugin
    /// The files that it writes, in their order.
    package let files: [Contribution]

    private let limits: LuaLimits

    init(_ plugin: LoadedPlugin, _ limits: LuaLimits) {
        self.plugin = plugin
        self.limits = limits
        files = plugin.manifest.contributions(of: .exports)
    }

    /// Ends what runs, from another thread or a signal.
    ///
    /// - Throws: `LuaError` where there is no script.
    package var interruption: LuaInterruption { get throws(LuaError) { try plugin.interruption } }

    /// Writes one file, of what the session sees.
    ///
    /// - Parameter write: takes the text piece by piece.
    /// - Returns: of how many records the plugin said that they have no place in it.
    /// - Throws: ``PluginFault`` where the plugin is at fault; what the store and the writing throw.
    package func export(
        _ file: Contribution, in session: DeskSession, to write: @escaping ([UInt8]) throws -> Void
    ) throws -> Int {
        var rows = try ExportedRows(file, write)
        var (leftOut, isOpen) = (0, true)
        defer { isOpen = false }
        func checkIsOpen() throws { if !isOpen { throw LuaHostError("out: the file is written") } }
        let state = try plugin.context.state
        let out = LuaTable(fields: [
            (
                "put",
                .callback { arguments in
                    try checkIsOpen()
                    guard file.hasRows else {
                        throw LuaHostError("out.put: '\(file.name)' is no table; out.text writes")
                    }
                    guard let row = try arguments.value(at: 0).tableValue else {
                        throw LuaHostError(
                            "out.put: takes a table of \(file.isTable ? "the columns" : "a record, with 'leader' and 'fields'")"
                        )
                    }
                    guard let why = try rows.add(row) else { return [.boolean(true)] }
                    return [.nil, .string(why)]
                }
            ),
            (
                "text",
                .callback { arguments in
                    try checkIsOpen()
                    guard !file.hasRows else {
                        throw LuaHostError("out.text: '\(file.name)' is a table; out.put writes")
                    }
                    try rows.add(text: arguments)
                    return []
                }
            ),
            (
                "leave_out",
                .callback { _ in
                    leftOut += 1
                    return []
                }
            ),
            (
                "each",
                .callback { [unowned state] arguments in
                    try checkIsOpen()
                    guard let kind = arguments[0].stringValue, let body = arguments[1].functionValue else {
                        throw LuaHostError("out.each: takes a kind of records and a function")
                    }
                    let isKnown = try Exporter.records(kind, in: session) { record in
                        _ = try state.call(body, [.json(.object(record))])
                    }
                    guard isKnown else {
                        throw LuaHostError(
                            "out.each: there are no '\(SafeText.line(kind))'; expected \(Exporter.recordKinds.joined(separator: ", "))"
                        )
                    }
                    return []
                }
            ),
        ])
        do {
            try plugin.answering(file, ContributionKind.write) { function in
                try plugin.context.working(in: session) {
                    try plugin.state.refusing("an export changes nothing") {
                        _ = try plugin.context.state.call(function, [.table(out)], limits: limits)
                    }
                }
            }
        } catch {
            throw rows.failure ?? error
        }
        try rows.end()
        return leftOut
    }
}

/// Rows that are written as they come: a table, or an array with an object a line, which may stand under a member of a document.
private struct ExportedRows {
    private struct Column {
        let name: String
        /// Whether it is left out where it holds nothing, instead of being null.
        let isOptional: Bool
    }

    private let columns: [Column]
    private let close: String?
    private let write: ([UInt8]) throws -> Void
    private var table = CSVWriter()
    /// Of a file of MARC records.
    private let marc: MARCWriter?
    private var bytes: [UInt8] = []
    private var isEmpty = true
    /// Why the file could not be written, whatever the plugin made of that.
    private(set) var failure: (any Error)?

    init(_ file: Contribution, _ write: @escaping ([UInt8]) throws -> Void) throws {
        self.write = write
        let encoding = file.values[ContributionKind.encoding]?.stringValue.flatMap(MARCEncoding.init)
        marc = try file.marcForm.map { try MARCWriter($0, encoding: encoding ?? .utf8) }
        columns = file.columns.map { name in
            Column(name: name.hasSuffix("?") ? String(name.dropLast()) : name, isOptional: name.hasSuffix("?"))
        }
        if file.name.hasSuffix(".csv") {
            close = nil
            table.record(columns.map(\.name))
            return
        }
        if !file.isTable {
            close = ""
            bytes = marc?.beginning ?? []
            return
        }
        let within = file.values["within"]?.stringValue
        bytes = Array((within.map { "{\(JSON.string($0).text()):[" } ?? "[").utf8)
        close = "\n" + (within == nil ? "]\n" : "]}\n")
    }

    /// - Returns: why a record has no place in the file; nil: it has one.
    mutating func add(_ row: LuaTable) throws -> String? {
        guard let marc else {
            try add(columnsOf: row)
            return nil
        }
        guard let object = JSON(plain: .table(row))?.objectValue else {
            throw LuaHostError("out.put: a record holds texts and tables")
        }
        do {
            bytes += try marc.bytes(of: try MARCRecord(json: object))
        } catch let fault as MARCRecord.Fault {
            throw LuaHostError("out.put: \(fault.path): \(fault.message)")
        } catch let failure as MARCWriter.Failure {
            return failure.description
        }
        if bytes.count > 1 << 16 { try flush() }
        return nil
    }

    private mutating func add(columnsOf row: LuaTable) throws {
        if let stranger = row.entries.first(where: { entry in !columns.contains { $0.name == entry.key.stringValue } })
        {
            throw LuaHostError(
                "out.put: the file has no column '\(SafeText.line(stranger.key.stringValue ?? "\(stranger.key)"))'")
        }
        var object = JSONObject()
        for column in columns {
            guard let value = JSON(plain: row[column.name]) else {
                throw LuaHostError(
                    "out.put: the column '\(column.name)' is a text, a number, true, false or a table of such")
            }
            if !value.isNull || !column.isOptional { object[column.name] = value }
        }
        if close == nil {
            table.record(columns.map { object[$0.name].map { $0.stringValue ?? ($0.isNull ? "" : $0.text()) } ?? "" })
        } else {
            bytes += (isEmpty ? "\n" : ",\n").utf8
            bytes += JSON.object(object).text().utf8
            isEmpty = false
        }
        if max(bytes.count, table.bytes.count) > 1 << 16 { try flush() }
    }

    /// Adds text, as it is.
    mutating func add(text given: LuaArguments) throws {
        switch try given.value(at: 0) {
        case .string(let text): bytes += text.utf8
        case .bytes(let some): bytes += some
        default: throw LuaHostError("out.text: takes a text")
        }
        if bytes.count > 1 << 16 { try flush() }
    }

    mutating func end() throws {
        if let failure { throw failure }
        bytes += (close ?? "").utf8
        bytes += marc?.end ?? []
        try flush()
    }

    private mutating func flush() throws {
        do {
            try write(close == nil ? table.take() : bytes)
        } catch {
            failure = error
            throw error
        }
        bytes.removeAll(keepingCapacity: true)
    }
}
