import Circulation
import Desk
import Scripting
import Storage
import TextFormats

/// Forms that are sent twice and carried out once: the outcome is kept for a day, in the transaction of the work, as it
/// is for programs that send an `Idempotency-Key`.
///
/// Each shown page has a name of its own; the same form of the same page with the same fields is the same request.
struct IdempotentForm {
    let call: PageCall

    /// The name under which the form's outcome is kept.
    ///
    /// - Throws: ``Problem`` if the form does not name its page.
    private func key() throws -> String {
        guard let page = call.form["once"], (8...64).contains(page.utf8.count) else {
            throw Problem.input("The form is incomplete. Go back, reload the page, and try again.")
        }
        let text = [page, call.request.path, call.request.query ?? "", call.form.fingerprint].joined(separator: "\n")
        return "page-" + SHA256.hexadecimal(of: text.utf8).prefix(32)
    }

    /// Carries out a form, unless that was done before.
    ///
    /// - Returns: the outcome, and the name under which it can be read again.
    func perform(_ work: (PageCall) throws -> PageOutcome) throws -> (outcome: PageOutcome, key: String) {
        let (holder, key) = (try call.holder().id, try key())
        return try call.context.inOneTransaction {
            if let outcome = try Self.said(key, to: holder, call) { return (outcome, key) }
            let outcome = try work(call)
            try keep(outcome, under: key, of: holder)
            return (outcome, key)
        }
    }

    /// The same of work that opens transactions of its own: its outcome is kept after it.
    func performApart(_ work: (PageCall) throws -> PageOutcome) throws -> (outcome: PageOutcome, key: String) {
        let (holder, key) = (try call.holder().id, try key())
        if let outcome = try Self.said(key, to: holder, call) { return (outcome, key) }
        let outcome = try work(call)
        try call.context.inOneTransaction { try keep(outcome, under: key, of: holder) }
        return (outcome, key)
    }

    private func keep(_ outcome: PageOutcome, under key: String, of holder: Int64) throws {
        // A patron who deletes the account deletes the kept answers with it.
        guard try call.context.look({ try $0.patrons.get(.id(holder)) }) != nil else { return }
        try call.context.look { try $0.idempotency.keep(outcome.text, under: key, of: holder, fingerprint: "page") }
    }

    /// The outcome that was kept under a name.
    static func said(_ key: String, to patron: Int64, _ call: PageCall) throws -> PageOutcome? {
        guard key.hasPrefix("page-"), key.utf8.count < 64 else { return nil }
        guard let given = try call.context.look({ try $0.idempotency.find(key, of: patron) }) else { return nil }
        return try PageOutcome(text: given.answer)
    }
}

extension PageOutcome {
    fileprivate var text: String {
        switch self {
        case .done(let path, let words, let details):
            JSON.object(["to": .string(path), "said": .string(words), "details": .object(details)]).text()
        case .refused(let refusal, let back):
            JSON.object(["refusal": .object(refusal), "back": .string(back)]).text()
        }
    }

    fileprivate init?(text: String) throws {
        let json = try JSONParser.parse(text)
        if let path = json["to"]?.stringValue, let words = json["said"]?.stringValue {
            self = .done(to: path, saying: words, details: json["details"]?.objectValue ?? [:])
        } else if let refusal = json["refusal"]?.objectValue, let back = json["back"]?.stringValue {
            self = .refused(refusal, back: back)
        } else {
            return nil
        }
    }
}
