package import TextFormats

extension RuleValue {
    /// The value as programs read it: periods `P14D`, money `"0.20 EUR"`, dates `2026-12-24`, `none` as null,
    /// `"unlimited"`.
    package var json: JSON {
        switch self {
        case .none: .null
        case .unlimited: "unlimited"
        case .boolean(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .text(let value): .string(value)
        case .period(let period): .string(period.isoText)
        case .money(let money): .string(money.description)
        case .date(let date): .string(date.description)
        case .fineSteps(let steps): .array(steps.map(\.json))
        case .free(let json): json
        }
    }
}

extension FineStep {
    var json: JSON {
        [
            "from": .string(from.isoText), "to": to.map { .string($0.isoText) } ?? .null,
            "fine": .string(fine.description),
        ]
    }
}

extension GroupExplanation {
    /// Appends a member for each field of the group: `{"value", "default", "row", "file", "line", "skipped": [{"row",
    /// "file", "line", "because"}]}`, with `default` true where the built-in default holds. `row` is one-based in
    /// `rules`; `row`, `file` and `line` are null where no row set the group.
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        for field in fields {
            writer.object(field.name) { writer in
                let place = field.origin ?? origin
                writer.key("value")
                writer.value(field.value?.json ?? .null)
                writer.member("default", field.isDefault)
                writer.place(place)
                writer.list("skipped", skipped) { writer, row in
                    writer.place(row.origin)
                    writer.member("because", row.because)
                }
            }
        }
    }
}

extension JSONWriter {
    /// Where something stands in the policy, as members of an object; null where nothing set it.
    mutating func place(_ origin: RuleOrigin?) {
        nullable("row", origin?.row.map(Int64.init))
        nullable("file", origin?.file)
        nullable("line", origin.map { Int64($0.line) })
    }
}

extension Decision {
    /// The decision as a tree; see ``write(to:explanation:trace:)``.
    package func json(explanation: [GroupExplanation] = [], trace: [TracedLine] = []) -> JSON {
        JSON { write(to: &$0, explanation: explanation, trace: trace) }
    }

    /// Appends `{"point", "answer", "refusal", "due", "due_date", "due_exact", "fields", "effects", "failure", "trace"}`,
    /// as programs rely on it: `due` is an instant, and all these members are always there;
    /// `priority` is where a `hold` function gave one, `lines` and `total` are what there is to pay at `price`, `message`
    /// is what a review at `publish` says; `expires_on` is what `expiry` says, a date or `unlimited`, with `where` it is
    /// said.
    ///
    /// - Parameters:
    ///   - explanation: what becomes `fields`, with defaults and skipped rows; without it `fields` has what the
    ///     rows set, which costs little.
    ///   - trace: the lines that ran; only explanations record them.
    package func write(
        to writer: inout JSONWriter, explanation: [GroupExplanation] = [], trace: [TracedLine] = []
    ) {
        writer.beginObject()
        writer.member("point", point.rawValue)
        writer.member("answer", answer.rawValue)
        writer.key("refusal")
        writer.value(refusal?.json ?? .null)
        writer.nullable("due", due?.instant.description)
        writer.nullable("due_date", due?.date.description)
        writer.key("due_exact")
        if let due { writer.bool(due.isExact) } else { writer.null() }
        writer.member("priority", priority)
        writer.member("message", message)
        if let membership {
            writer.member("expires_on", membership.date?.description ?? MembershipEnd.unlimitedWord)
            writer.key("where")
            writer.value(membership.origin?.json ?? .null)
        }
        if let lines {
            writer.list("lines", lines) { writer, line in
                writer.member("label", line.label)
                writer.member("amount", line.amount)
                if line.isForLibrary { writer.member("to", PriceLine.toLibrary) }
                writer.key("where")
                writer.value(line.origin?.json ?? .null)
            }
            let total = try? PriceLine.total(of: lines, in: lines.first?.amount.currency ?? .eur)
            if !lines.isEmpty { writer.member("total", total) }
        }
        if explanation.isEmpty, let rule {
            writer.key("fields")
            writer.raw(rule.setFieldsJSON)
        } else {
            writer.object("fields") { writer in
                for group in explanation { group.writeMembers(to: &writer) }
            }
        }
        writer.key("effects")
        writer.beginArray()
        for effect in effects { writer.value(effect.json) }
        writer.endArray()
        writer.key("failure")
        writer.value(failure?.json ?? .null)
        writer.list("trace", trace) { writer, line in line.write(to: &writer) }
        writer.endObject()
    }
}

extension PolicyFailure {
    /// `{"code", "message", "file", "line"}`
    package var json: JSON {
        [
            "code": .string(code), "message": .string(message), "file": file.map(JSON.string) ?? .null,
            "line": line.map { .integer(Int64($0)) } ?? .null,
        ]
    }
}

extension Decision.Effect {
    /// An object whose member `effect` is `notice`, `charge`, `fine`, `suspend`, `rental` or `lose`.
    package var json: JSON {
        switch self {
        case .notice(let notice): notice.json
        case .charge(let charge):
            [
                "effect": "charge", "key": .string(charge.key), "amount": .string(charge.amount.description),
                "label": .string(charge.label), "where": charge.origin?.json ?? .null,
            ]
        case .fine(let amount, let origin):
            ["effect": "fine", "amount": .string(amount.description), "where": origin?.json ?? .null]
        case .suspend(let end, let origin):
            ["effect": "suspend", "until": .string(end.description), "where": origin?.json ?? .null]
        case .rental(let amount, let label, let origin):
            [
                "effect": "rental", "amount": .string(amount.description), "label": .string(label),
                "where": origin?.json ?? .null,
            ]
        case .lose(let fee, let origin):
            [
                "effect": "lose", "fee": fee.map { .string($0.description) } ?? .null,
                "where": origin?.json ?? .null,
            ]
        }
    }
}

extension PlannedNotice {
    fileprivate var json: JSON {
        [
            "effect": "notice", "stage": .string(stage), "repetition": .integer(repetition),
            "channel": .string(channel), "subject": .string(subject), "body": .string(body),
            "digest": digest == nil ? .null : "patron",
            "charge": charge.map { .string($0.description) } ?? .null, "superseded": .bool(isSuperseded),
            "where": origin?.json ?? .null,
        ]
    }
}
