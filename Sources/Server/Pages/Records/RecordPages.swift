import Circulation
import Languages
import Scripting
import TextFormats

/// The pages by which staff add, change and remove records of one kind: a declaration of their forms, carried out by the API's routes.
struct RecordPages: Sendable {
    /// What takes a record out.
    struct Removal: Sendable {
        /// The button's word.
        let button: Phrase
        /// What it does, before it is done.
        let warning: Phrase
        /// `is removed`
        let done: Phrase
    }

    /// `patron`
    let one: Phrase
    /// The path below which the pages are, and the name by which their paths have a record.
    let base: String
    let key: String
    let access: Page.Access
    /// The form of a new record; nil: records are made elsewhere.
    var add: RecordForm?
    var change: RecordForm?
    var removal: Removal?
    /// What a record is called.
    let name: @Sendable (JSON) -> String
    /// The page of a record, or of the list in which it stands.
    let page: @Sendable (JSON) -> String
    /// Where the form of a new record leads back to, without one.
    var list: String?
    /// Where the form of a new record is filled in from what is known elsewhere, by a button of its own.
    var lookUp: String?
    /// What the fields of a new record begin with.
    var filled: @Sendable (PageCall) throws -> [String: String] = { _ in [:] }
    /// What is added to the members of a change.
    var completed: @Sendable (JSONObject, PageCall) -> JSONObject = { members, _ in members }
    /// What is said beyond that it was done.
    var remark: @Sendable (JSON, PageCall) throws -> String = { _, _ in "" }

    static let template = PageTemplate("record", PackageResources.record_mustache)

    var pages: [Page] {
        var pages: [Page] = []
        if let add {
            pages += [
                Page.shown("\(base)/new", access) { call in try addView(add, call) },
                Page.form("\(base)/new", access, again: { call in try addView(add, call) }) { call in
                    try done(.post, add.path, add.members(call), say("has been added"), back: list ?? base, call)
                },
            ]
        }
        let path = "\(base)/{\(key)}"
        if change != nil || removal != nil {
            pages.append(Page.shown("\(path)/edit", access) { call in try changeView(call) })
        }
        if let change {
            pages.append(
                Page.form("\(path)/edit", access, again: { call in try changeView(call) }) { call in
                    let record = try record(call)
                    let members = completed(change.members(call, record: record), call)
                    return try done(
                        .patch, routePath(change.path, call), members, say("has been changed"), back: page(record), call
                    )
                })
        }
        if let removal, let route = change?.path {
            pages.append(
                Page.form("\(path)/remove", access, again: { call in try changeView(call) }) { call in
                    let record = try record(call)
                    return try call.act(.delete, routePath(route, call), back: list ?? page(record)) { _ in
                        say("\(name(record)) \(removal.done).")
                    }
                })
        }
        return pages
    }

    private func done(
        _ verb: Route.Verb, _ path: String, _ members: JSONObject, _ done: String, back: String, _ call: PageCall
    ) throws -> PageOutcome {
        switch try call.ask(verb, path, members) {
        case .value(let record):
            let remark = try remark(record, call)
            return .done(
                to: page(record), saying: "\(name(record)) \(done)." + (remark.isEmpty ? "" : " \(remark)"))
        case .nothing: return .done(to: back, saying: say("Done."))
        case .notFound: throw Problem.notFound
        case .refused(let refusal): return .refused(refusal, back: back)
        }
    }

    // MARK: - Views

    /// The form of a new record.
    ///
    /// - Parameter values: what its fields begin with; nil: what is usual.
    func addView(_ form: RecordForm, _ call: PageCall, values: [String: String]? = nil) throws -> PageView {
        var inputs = try form.inputs(call, form: "new", filled: try values ?? filled(call))
        // What is wrong with a form that comes back is read first.
        if call.request.method != "POST", !inputs.isEmpty { inputs[0]["hasFocus"] = true }
        var view = PageView(
            template: "record", title: say("New \(one)"),
            fields: ["path": "\(base)/new", "back": list ?? base, "button": say("Add"), "inputs": inputs])
        if let lookUp {
            view.fields["lookUp"] = lookUp
            view.script = LookUpScript.text
        }
        return view
    }

    private func changeView(_ call: PageCall) throws -> PageView {
        let record = try record(call)
        let path = "\(base)/\(call.value())"
        var fields: [String: Any] = [
            "path": "\(path)/edit", "back": page(record), "button": say("Save"), "isThere": true,
        ]
        if let change { fields["inputs"] = try change.inputs(call, form: "edit", record: record) }
        if let removal {
            fields["removal"] = [
                "path": "\(path)/remove", "button": say(removal.button), "warning": say(removal.warning),
            ]
        }
        return PageView(template: "record", title: name(record), fields: fields)
    }

    /// The record that the path names.
    private func record(_ call: PageCall) throws -> JSON {
        guard let route = change?.path else { throw Problem.notFound }
        do {
            if let entries = try declared(route, call) { return entries }
            return try call.record(routePath(route, call))
        } catch let problem as Problem where problem.status == 400 {
            throw Problem.notFound
        }
    }

    /// A record of those that have codes and are listed as a whole.
    private func declared(_ route: String, _ call: PageCall) throws -> JSON? {
        guard RecordForm.lists.values.contains(where: { route.hasPrefix("\($0)/") }) else { return nil }
        let found = try call.list(String(route.prefix { $0 != "{" }.dropLast())).first {
            $0["code"]?.stringValue == call.values[0]
        }
        guard let found else { throw Problem.notFound }
        return found
    }

    private func routePath(_ route: String, _ call: PageCall) -> String {
        String(route.prefix { $0 != "{" }) + call.value()
    }
}
