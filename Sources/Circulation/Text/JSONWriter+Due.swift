package import TextFormats

extension JSONWriter {
    /// `due_at`, `due_on` and, for an exact time, `exact`.
    package mutating func due(_ due: DueTime?) {
        guard let due else { return }
        member("due_at", due.instant)
        member("due_on", due.date)
        mark("exact", due.isExact)
    }
}
