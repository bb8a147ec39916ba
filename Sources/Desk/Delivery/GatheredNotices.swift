package import Circulation

/// What a message says that has several notices of a patron.
package struct GatheredNotices: Hashable, Sendable {
    /// The library's name.
    package var library: String
    /// Those that travel in the message, the oldest first.
    package var notices: [Notice]
    /// What these are about, in the order of the notices.
    package var subjects: [NoticeSubject]

    package init(library: String, notices: [Notice], subjects: [NoticeSubject]) {
        self.library = library
        self.notices = notices
        self.subjects = subjects
    }
}

/// One thing about which a notice is.
package struct NoticeSubject: Hashable, Sendable {
    package var kind: GatheredKind
    /// A title's name, or the notice's own subject where it is about no title.
    package var name: String
    package var barcode: String?
    /// When it is due, or how long it stays on the shelf.
    package var date: CivilDate?
    /// The time of that day, where the whole day does not count.
    package var time: CivilTime?

    package init(
        kind: GatheredKind, name: String, barcode: String? = nil, date: CivilDate? = nil, time: CivilTime? = nil
    ) {
        self.kind = kind
        self.name = name
        self.barcode = barcode
        self.date = date
        self.time = time
    }
}
