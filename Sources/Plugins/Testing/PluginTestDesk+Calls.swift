import Circulation
import Desk
import LuaRuntime
import Scripting
import TextFormats
import Workbench

extension PluginTestDesk {
    private static let keys = ["as", "json", "form", "body", "type", "headers"]

    /// What a route of the plugin answers: a table of its status, its headers, its text, and its JSON where it is some.
    ///
    /// - Parameters:
    ///   - name: a method and a path with its query.
    ///   - options: `as` who asks, and what the request carries.
    func call(_ name: String, _ options: LuaTable) throws -> LuaValue {
        for entry in options.entries where !Self.keys.contains(entry.key.stringValue ?? "") {
            throw LuaHostError("call: takes \(Self.keys.joined(separator: ", ")), not '\(entry.key)'")
        }
        let words = name.split(separator: " ")
        let target = words.last?.split(separator: "?", maxSplits: 1).map { String($0) } ?? []
        guard words.count == 2, let path = target.first, path.hasPrefix("/") else {
            throw LuaHostError("call: '\(SafeText.line(name))' is no method and path, such as \"GET /courier\"")
        }
        let (fields, body) = try content(options)
        var request = PluginRequest(
            String(words[0]), path, query: target.count > 1 ? target[1] : nil, fields: fields, body: body,
            entrance: try entrance())
        if let page = plugin.manifest.contributions(of: .pages).first(where: { $0.name == path }) {
            return try self.page(page, &request, as: options["as"])
        }
        let segments = try path.split(separator: "/").map { part throws(Problem) in try PercentEncoding.checked(part) }
        guard let found = PathMatch(routes).find(segments) else {
            throw LuaHostError("call: the plugin has no route and no page at \(SafeText.line(path))")
        }
        let answered: LuaValue
        do {
            let route = try found.way(by: request.method)
            request.parameters = Array(zip(route.pathNames, found.values)).map { ($0, $1) }
            answered = try Self.table(answer(route, &request, as: options["as"]))
        } catch let problem as Problem {
            answered = Self.table(problem)
        } catch let fault as PluginFault {
            throw LuaHostError(fault.description)
        }
        try settle()
        return answered
    }

    /// What a page of the plugin shows: its status, and what it reports as ``ScriptTestAnswer`` has it.
    private func page(_ entry: Contribution, _ request: inout PluginRequest, as name: LuaValue) throws -> LuaValue {
        let isAsked = ["GET", "HEAD"].contains(request.method)
        let role = entry.values["role"]?.stringValue.flatMap(PluginRole.init) ?? .admin
        var shown: LuaTable?
        do {
            guard isAsked else { throw Problem.notFound }
            request.caller = try caller(name)
            try request.caller.check(role.access, group: nil, changes: false)
            var result = ScriptResult()
            if let file = entry.values["report"]?.stringValue {
                let query = try request.value("query").tableValue?.entries ?? []
                var options = ScriptOptions(
                    arguments: query.map { "--\($0.key.stringValue ?? "")=\($0.value.stringValue ?? "")" },
                    limits: LoadedPlugin.limits)
                options.caller = request.caller
                result = try run(
                    report: file, at: store.desk.acting(as: request.caller.actor), options, onlyShows: true)
            } else {
                result.document = try plugin.document(entry, request)
            }
            shown = try finished(result).first?.tableValue
        } catch let problem as Problem {
            return Self.table(problem)
        } catch let fault as PluginFault {
            throw LuaHostError(fault.description)
        }
        shown?["status"] = .integer(200)
        return .table(shown ?? LuaTable())
    }

    /// Sends a form of the plugin: a table of `status`, of the words that are shown as `text`, of the path that comes next as
    /// `redirect`, and of the field at fault.
    ///
    /// - Parameter options: `as` who sends it, and as `form` what was filled in.
    func submit(_ name: String, _ options: LuaTable) throws -> LuaValue {
        for entry in options.entries where !["as", "form"].contains(entry.key.stringValue ?? "") {
            throw LuaHostError("submit: takes as, form, not '\(entry.key)'")
        }
        let form = try part(name, of: .forms, "submit")
        guard let page = plugin.manifest.contributions(of: .pages).first(where: { $0.name == form.text("page") }) else {
            throw LuaHostError("submit: the form has no page")
        }
        var texts: [String: String] = [:]
        for entry in options["form"].tableValue?.entries ?? [] {
            guard let name = entry.key.stringValue, form.parameters.contains(where: { $0.name == name }) else {
                throw LuaHostError("submit: the form has no field '\(SafeText.line("\(entry.key)"))'")
            }
            texts[name] = entry.value.stringValue ?? "\(entry.value)"
        }
        var request = PluginRequest("POST", page.name, entrance: try entrance())
        let answered: LuaValue
        do {
            request.caller = try caller(options["as"])
            let role = page.text("role").flatMap(PluginRole.init) ?? .admin
            try request.caller.check(role == .everyone ? .holder : role.access, group: nil, changes: true)
            let answer = try plugin.submit(form, texts, request)
            answered = .table(
                LuaTable(fields: [
                    ("status", .integer(303)), ("text", .string(answer.words)),
                    ("redirect", .string(answer.path ?? page.name)),
                ]))
        } catch let problem as Problem {
            var table = LuaTable(fields: [
                ("status", .integer(Int64(problem.status))), ("code", .string(problem.code)),
                ("text", .string(problem.detail)),
            ])
            if let field = problem.argument { table["field"] = .string(field) }
            answered = .table(table)
        } catch let fault as PluginFault {
            throw LuaHostError(fault.description)
        }
        try settle()
        return answered
    }

    private func answer(
        _ route: PluginRoute, _ request: inout PluginRequest, as name: LuaValue
    ) throws -> PluginAnswer {
        do {
            if !route.knowsNobody { request.caller = try caller(name) }
            let changes = !["GET", "HEAD"].contains(request.method)
            try request.caller.check(route.access, group: route.scope, changes: changes)
        } catch let problem as Problem {
            return try plugin.answer(to: problem, route.entry, request)
        }
        return try plugin.answer(route.entry, request)
    }

    private func caller(_ name: LuaValue) throws -> Caller {
        if name.isNil { return .anonymous }
        guard let username = name.stringValue,
            let patron = try store.desk.read({ try $0.patrons.get(.username(username)) })
        else { throw LuaHostError("call: there is no patron '\(SafeText.line("\(name)"))'") }
        return Caller(patron: patron, token: nil)
    }

    /// The fields of the header and the body.
    private func content(_ options: LuaTable) throws -> (fields: [(name: String, value: String)], body: [UInt8]) {
        var fields =
            options["headers"].tableValue?.entries.map { entry in
                (name: entry.key.stringValue?.lowercased() ?? "", value: entry.value.stringValue ?? "\(entry.value)")
            } ?? []
        var (type, text) = (options["type"].stringValue, options["body"].stringValue ?? "")
        if !options["json"].isNil {
            guard let json = JSON(plain: options["json"]) else {
                throw LuaHostError("call: 'json' has a function in it")
            }
            (type, text) = ("application/json", json.text())
        } else if let form = options["form"].tableValue {
            let members = form.entries.map { entry in
                "\(PercentEncoding.encoded(entry.key.stringValue ?? ""))="
                    + PercentEncoding.encoded(entry.value.stringValue ?? "\(entry.value)")
            }
            (type, text) = ("application/x-www-form-urlencoded", members.joined(separator: "&"))
        }
        if let type { fields.append((name: "content-type", value: type)) }
        return (fields, Array(text.utf8))
    }

    private static func table(_ problem: Problem) -> LuaValue {
        .table(
            LuaTable(fields: [
                ("status", .integer(Int64(problem.status))), ("json", .json(problem.json)),
                ("text", .string(problem.json.text())), ("headers", texts(problem.fields)),
            ]))
    }

    private static func table(_ answer: PluginAnswer) -> LuaValue {
        var headers = answer.fields
        headers["content-type"] = answer.type
        var table = LuaTable(fields: [
            ("status", .integer(Int64(answer.status))), ("headers", texts(headers)),
            ("text", .string(String(decoding: answer.body, as: UTF8.self))),
        ])
        if let type = answer.type { table["type"] = .string(type) }
        if answer.type == "application/json", let json = try? JSONParser.parse(answer.body) {
            table["json"] = .json(json)
        }
        return .table(table)
    }

    private static func texts(_ fields: [String: String]) -> LuaValue {
        .table(LuaTable(fields: fields.sorted { $0.key < $1.key }.map { ($0, .string($1)) }))
    }
}
