package import TextFormats

extension Case {
    /// The case as a tree, calendar included; ``init(json:)`` reads it back as it was.
    package var json: JSON { JSON { write(to: &$0) } }

    /// Appends the case in the shape that ``init(json:)`` reads, without making a tree of it first: the decision log is
    /// written with every checkout. The parts are always there, null where the case has none, but `hold`, `suggestion`,
    /// `lines` and `event`, which are left out then, as members without a value are.
    ///
    /// - Parameter withCalendar: the decision log leaves the calendar out; the settings' events tell what it was.
    package func write(to writer: inout JSONWriter, withCalendar: Bool = true) {
        writer.beginObject()
        CaseRecords.question.write(self, to: &writer)
        if withCalendar {
            writer.key("calendar")
            writer.value(calendar.json)
        }
        writer.endObject()
    }
}
