import Circulation
import Desk
import TextFormats

extension PolicyReplay {
    /// Writes the report as one JSON object, in pieces: differences are not held in memory.
    ///
    /// ``"events"`` counts what was folded, ``"requests"`` what was asked again; ``"differences"`` has one entry for each
    /// decision that changes, and ``"effort"`` says how many questions were put to the candidate.
    package func writeJSON(to output: (String) -> Void) throws {
        output("{\"differences\":[")
        try spool.write(to: output)
        output("],")
        var writer = JSONWriter()
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
        output(String(writer.text.dropFirst()))
    }

    private func writeMembers(to writer: inout JSONWriter) {
        writer.member("mode", plan.mode.rawValue)
        writer.object("candidate") { writer in
            writer.member("policy", candidate.sha256)
            writer.member("name", candidateName)
        }
        writer.nullable("from", plan.from?.description)
        writer.nullable("until", plan.until?.description)
        writer.nullable("sample", plan.sample)
        writer.member("events", summary.events)
        writer.member("requests", summary.requests)
        writer.member("unasked", summary.unasked)
        writer.member("unanswerable", summary.unanswerable)
        writer.nullable("answerable_from", summary.answerableFrom?.description)
        writer.member("void", summary.void)
        if summary.arrivals.loans > 0 { writer.object("arrivals") { summary.arrivals.writeMembers(to: &$0) } }
        writer.object("changes") { counts.all.writeMembers(to: &$0) }
        writeTables(to: &writer)
        writer.object("notices") { writer in
            counts.notices.writeMembers(to: &writer)
            writer.list("stages", counts.stages.sorted { $0.key < $1.key }) { writer, stage in
                writer.member("stage", stage.key)
                stage.value.writeMembers(to: &writer)
            }
        }
        writer.object("fees") { writer in
            write(counts.fees, to: &writer)
            writer.list("kinds", counts.feeKinds.sorted { $0.key.rawValue < $1.key.rawValue }) { writer, kind in
                writer.member("kind", kind.key.rawValue)
                write(kind.value, to: &writer)
            }
        }
        writer.list("contradictions", contradictions) { writer, contradiction in
            writer.member("event", contradiction.event)
            writer.member("message", contradiction.message)
        }
        writer.member("contradiction_count", contradictionCount)
        // The last, so that all before it is the same however much was asked.
        writer.object("effort") { writer in
            for (name, share) in [
                ("requests", summary.effort.requests), ("fines", summary.effort.fines),
                ("notices", summary.effort.notices),
            ] {
                writer.object(name) { writer in
                    writer.member("asked", share.asked)
                    writer.member("all", share.all)
                }
            }
            writer.list("unknown", unknown) { writer, unknown in unknown.writeMembers(to: &writer) }
        }
    }

    private func writeTables(to writer: inout JSONWriter) {
        writer.list("reasons", counts.sortedReasons) { writer, reason in
            writer.member("before", reason.reason.before)
            writer.member("after", reason.reason.after)
            writer.member("count", reason.count)
        }
        writer.list("rows", counts.sortedRows) { writer, entry in
            writer.nullable("table", entry.place.table?.rawValue)
            writer.nullable("row", entry.place.row.map(Int64.init))
            writer.member("file", entry.place.file)
            writer.member("line", Int64(entry.place.line))
            writer.member("refuses", entry.changes.refuses)
            writer.member("refused", entry.changes.refused)
            writer.member("moves_due", entry.changes.movesDue)
        }
        for (name, key, groups) in [
            ("kinds", "kind", counts.kinds), ("categories", "category", counts.categories),
            ("item_types", "item_type", counts.itemTypes), ("months", "month", counts.months),
        ] {
            writer.list(name, groups.sorted { $0.key < $1.key }) { writer, group in
                writer.member(key, group.key)
                group.value.writeMembers(to: &writer)
            }
        }
        writer.list("due_moves", counts.dueMoves.sorted { $0.key < $1.key }) { writer, move in
            writer.member("days", move.key)
            writer.member("count", move.value)
        }
        writer.list("patrons", counts.mostAffected(100)) { writer, entry in
            writer.member("patron", entry.patron)
            entry.changes.changes.writeMembers(to: &writer)
            writer.member("fees_before", money(entry.changes.feesBefore))
            writer.member("fees_after", money(entry.changes.feesAfter))
        }
    }

    private func write(_ fees: ReplayCounts.Fees, to writer: inout JSONWriter) {
        writer.member("before", money(fees.before))
        writer.member("after", money(fees.after))
        writer.member("loans", fees.loans)
    }

    func money(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, currency: library.currency) }
}

extension ReplayCounts {
    /// The most frequent first.
    var sortedReasons: [(reason: Reason, count: Int64)] {
        reasons.map { ($0.key, $0.value) }
            .sorted { ($1.1, $0.0.before, $0.0.after) < ($0.1, $1.0.before, $1.0.after) }
    }

    var sortedRows: [(place: Place, changes: RowChanges)] {
        rows.map { ($0.key, $0.value) }.sorted { one, other in
            let (left, right) = (one.1.weight, other.1.weight)
            return (right, one.0.file, one.0.line) < (left, other.0.file, other.0.line)
        }
    }
}

extension ReplayCounts.RowChanges {
    var weight: Int64 { refuses + refused + movesDue }
}

extension ReplayCounts.Changes {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("requests", requests)
        writer.member("differences", differences)
        writer.member("refused", refused)
        writer.member("granted", granted)
        writer.member("other_reason", otherReason)
        writer.member("due_earlier", dueEarlier)
        writer.member("due_later", dueLater)
        writer.member("otherwise", otherwise)
        writer.member("void", void)
    }
}

extension ReplayCounts.Notices {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("added", added)
        writer.member("dropped", dropped)
        writer.member("changed", changed)
        writer.member("same", same)
    }
}

extension ReplayedDecision {
    /// `{"event", "kind", "patron", "before": {"answer", "code", "due"}, "after": {}}` and where, when and about what.
    func write(to writer: inout JSONWriter, currency: Currency) {
        writer.beginObject()
        writer.member("event", event)
        writer.member("kind", kind)
        writer.nullable("patron", patron)
        writer.member("at", at)
        writer.member("point", point.rawValue)
        writer.member("loan", loan)
        writer.member("title", title)
        writer.member("category", category)
        writer.member("item_type", itemType)
        writer.member("branch", branch)
        writer.object("before") { before.writeMembers(to: &$0, currency: currency) }
        writer.object("after") { after.writeMembers(to: &$0, currency: currency) }
        writer.endObject()
    }
}

extension ReplayedAnswer {
    func writeMembers(to writer: inout JSONWriter, currency: Currency) {
        writer.member("answer", answer)
        writer.nullable("code", code)
        writer.nullable("due", due?.description)
        writer.mark("overridden", isOverridden)
        writer.member("priority", priority)
        writer.member("suspended_until", suspendedUntil)
        if cost != 0 { writer.member("cost", Money(minorUnits: cost, currency: currency)) }
        if let origin {
            writer.key("where")
            writer.value(origin.json)
        }
    }
}
