/// What a report script made: a document that no renderer has touched yet.
///
/// Blocks stand in the order in which the script made them. A document is plain data: it may be compared, sent to
/// another process and rendered as often as wanted.
package struct ReportDocument: Hashable, Sendable {
    package var title: String
    /// The arguments that the report was run with, by name, in the order of their declaration.
    package var parameters: [ReportParameter]
    package var blocks: [ReportBlock]
    /// Whose clock shows the instants of the report to people; nil: that of UTC.
    package var zone: Zone?
    /// When the report was made, where that is known.
    package var madeAt: Instant?
    /// The library that it is about.
    package var library: String?
    /// Who had it made, where that is a person.
    package var madeBy: String?
    /// The code of the language in which it speaks, such as `de`; nil: that of its reader.
    package var language: String?

    package init(title: String = "", parameters: [ReportParameter] = [], blocks: [ReportBlock] = []) {
        self.title = title
        self.parameters = parameters
        self.blocks = blocks
    }

    /// Nothing was reported; what a script printed counts as something.
    package var isEmpty: Bool { title.isEmpty && blocks.isEmpty }

    package var tables: [ReportTable] {
        blocks.compactMap { if case .table(let table) = $0 { table } else { nil } }
    }

    package var metrics: [ReportMetric] {
        blocks.compactMap { if case .metric(let metric) = $0 { metric } else { nil } }
    }

    package var charts: [ReportChart] {
        blocks.compactMap { if case .chart(let chart) = $0 { chart } else { nil } }
    }

    /// The paragraphs of the report itself, without what was printed.
    package var texts: [String] {
        blocks.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }
}

/// One argument of a report, with the value it was run with.
package struct ReportParameter: Hashable, Sendable {
    package var name: String
    package var value: ReportValue
    /// What people call a value that is a code; nil: it is none.
    package var words: String?

    package init(name: String, value: ReportValue, words: String? = nil) {
        self.name = name
        self.value = value
        self.words = words
    }
}

/// A part of a report, in the order of the script.
package enum ReportBlock: Hashable, Sendable {
    /// The heading of what follows.
    case section(String)
    /// A paragraph.
    case text(String)
    /// A line that the script printed: for a reader, never part of what a program reads.
    case printed(String)
    case table(ReportTable)
    case metric(ReportMetric)
    case chart(ReportChart)
}

/// One figure with its name.
package struct ReportMetric: Hashable, Sendable {
    package var name: String
    package var value: ReportValue
    /// What is counted (`loans`), or nil where the value says it.
    package var unit: String?
    /// How the figure came about, for the reader.
    package var note: String?

    package init(name: String, value: ReportValue, unit: String? = nil, note: String? = nil) {
        self.name = name
        self.value = value
        self.unit = unit
        self.note = note
    }
}
