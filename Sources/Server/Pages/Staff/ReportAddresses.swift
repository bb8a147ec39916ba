package import Circulation

/// Where the pages about the records are that reports name.
package struct ReportAddresses: Hashable, Sendable {
    /// Who reads a report.
    package enum Reader: Hashable, Sendable {
        case staff
        /// Anybody who is not known to be staff: a patron is a name for them, and a copy leads to the page of its title.
        case anybody
    }

    private let reader: Reader
    /// What addresses begin with, without a slash at its end; empty on pages of the server itself.
    private let base: String

    package init(for reader: Reader, at base: String = "") {
        self.reader = reader
        self.base = base
    }

    /// The address of the page about a record; nil: the reader has none.
    package func callAsFunction(_ link: ReportLink) -> String? {
        switch (link.kind, reader) {
        case (.title, .staff), (.copy, .staff): "\(base)/desk/titles/\(link.id)"
        case (.title, .anybody), (.copy, .anybody): "\(base)/titles/\(link.id)"
        case (.patron, .staff): "\(base)/desk/patrons/\(link.id)"
        case (.patron, .anybody): nil
        case (.listing, _): "\(base)/market/\(link.id)"
        }
    }
}
