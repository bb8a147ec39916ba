import Circulation
import LuaSyntax
package import TextFormats

/// The arguments of a call by name: those that the address of a request holds, and those that come beside it.
package struct APIMembers: Hashable, Sendable {
    package var path: JSONObject
    package var others: JSONObject

    package init(path: JSONObject = [:], others: JSONObject = [:]) {
        self.path = path
        self.others = others
    }

    /// The argument of a name, wherever it stands; a new one stands beside the address.
    package subscript(name: String) -> JSON? {
        get { path[name] ?? others[name] }
        set { if path[name] != nil { path[name] = newValue } else { others[name] = newValue } }
    }
}

extension APIFunction {
    /// The arguments by name; where one of several is a table of named arguments, without those.
    package var ownMembers: [APIParameter] {
        if let namedArguments { return namedArguments }
        return parameters.filter { $0.fields == nil }
    }

    /// The fields of a table of named arguments that stands behind other arguments, such as the changes of an update.
    package var changes: [APIParameter] {
        namedArguments == nil ? parameters.compactMap(\.fields).flatMap(\.self) : []
    }

    /// The object of arguments that is meant.
    ///
    /// - Throws: ``APIArgumentFault`` for a name that the function does not know.
    func arguments(_ members: APIMembers) throws(APIArgumentFault) -> JSONObject {
        var (own, inner) = (members.path, JSONObject())
        let (ownNames, inside) = (ownMembers.map(\.name), changes.map(\.name))
        for entry in members.others.entries {
            if ownNames.contains(entry.key), members.path[entry.key] == nil {
                own[entry.key] = entry.value
            } else if inside.contains(entry.key) {
                inner[entry.key] = entry.value
            } else {
                throw unknown(entry.key, among: (ownNames + inside).filter { members.path[$0] == nil })
            }
        }
        if let table = parameters.first(where: { $0.fields != nil }), namedArguments == nil {
            own[table.name] = .object(inner)
        }
        return own
    }

    private func unknown(_ key: String, among names: [String]) -> APIArgumentFault {
        let hint = NameSuggestion.nearest(to: key, among: names).map { "did you mean '\($0)'?" }
        let words = hint ?? (names.isEmpty ? "there are none" : "there are " + names.joined(separator: ", ") + ".")
        return APIArgumentFault(description: "There is no '\(APIText.quotable(key))' here; \(words)")
    }
}

extension APIParameter {
    fileprivate var fields: [APIParameter]? {
        if case .fields(let fields) = type { fields } else { nil }
    }
}

extension APIArguments {
    /// The arguments of a call by name; what stands in a table of named arguments stands beside the others.
    func members(of function: APIFunction) -> APIMembers {
        var members = APIMembers()
        for name in names {
            guard let value = value(name) else { continue }
            if function.namedArguments != nil {
                members.others[name] = value.json
            } else if case .fields(let inner) = value {
                members.others = inner.object
            } else {
                members.path[name] = value.json
            }
        }
        return members
    }

    fileprivate var object: JSONObject {
        var object = JSONObject()
        for name in names { object[name] = value(name)?.json }
        return object
    }
}

extension APIValue {
    /// As JSON has it.
    fileprivate var json: JSON {
        switch self {
        case .boolean(let it): .bool(it)
        case .integer(let it): .integer(it)
        case .number(let it): .number(it)
        case .text(let it): .string(it)
        case .date(let it): .string(it.description)
        case .instant(let it): .string(it.description)
        case .money(let it): .string(it.description)
        case .percent(let it): .string(it.description)
        case .period(let it): .string(it.isoText)
        case .json(let it): it
        case .key(.id(let it)): .integer(it)
        case .key(.text(let it)): .string(it)
        case .list(let values): .array(values.map(\.json))
        case .fields(let inner): .object(inner.object)
        case .lua(let it): JSON(plain: it) ?? .null
        case .function, .nothing: .null
        }
    }
}
