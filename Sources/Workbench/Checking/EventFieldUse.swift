package import Circulation
import Desk
package import LuaSyntax
import Scripting
import TextFormats

/// Reads functions that are given events, without running them: events that do not exist, and fields that an event does
/// not have.
package enum EventFieldUse {
    /// A function for an event, as a file of Lua writes it.
    package struct Handler {
        package var event: String
        /// Where the name of the event stands.
        package var range: SourceRange
        /// nil where the function is not written out.
        package var body: FunctionBody?

        package init(event: String, range: SourceRange, body: FunctionBody?) {
            self.event = event
            self.range = range
            self.body = body
        }
    }

    /// The findings `unknown_event` and `unknown_field`, in order of place. The first parameter of each function is the
    /// event; it is followed as the case of a policy is, into local functions as well.
    ///
    /// - Parameter fields: those of the library's own, which records have as well.
    package static func findings(
        of handlers: [Handler], in chunk: Chunk, fields: CustomFields = .none
    ) -> [Finding] {
        let api = LibraryAPI(fields)
        var given: [Int: FieldTree] = [:]
        var findings: [Finding] = []
        for handler in handlers {
            guard let declaration = EventDeclaration.named(handler.event) else {
                findings.append(unknown(handler, file: chunk.name))
                continue
            }
            guard let parameter = handler.body?.parameters.first?.id else { continue }
            // One function may serve several events.
            let tree = declaration.fieldTree(api)
            given[parameter] = given[parameter]?.merging(tree) ?? tree
        }
        let scopes = ScopeAnalysis(chunk)
        return (findings + FieldUse.findings(in: chunk, given: given, scopes: scopes, file: chunk.name)).sorted()
    }

    private static func unknown(_ handler: Handler, file: String) -> Finding {
        Finding(
            code: "unknown_event", file: file, range: handler.range,
            message: "there is no event '\(handler.event)'",
            suggestion: NameSuggestion.nearest(to: handler.event, among: EventDeclaration.all.map(\.name)))
    }
}

extension EventDeclaration {
    /// What `event` has, as the check follows it.
    func fieldTree(_ api: LibraryAPI) -> FieldTree { FieldTree(EventField.common + fields, api) }
}

extension FieldTree {
    fileprivate init(_ fields: [EventField], _ api: LibraryAPI) {
        self.init(
            Dictionary(fields.map { ($0.name, FieldTree($0.type, api)) }, uniquingKeysWith: { first, _ in first }))
    }

    fileprivate init(_ type: EventFieldType, _ api: LibraryAPI) {
        switch type {
        case .plain: self = .leaf
        case .record(let reference):
            let fields = LuaAPI.record(reference.rawValue).map(api.record)?.fields ?? []
            self.init(
                Dictionary(fields.map { ($0.name, FieldTree.leaf) }, uniquingKeysWith: { first, _ in first }),
                isOpen: fields.isEmpty)
        case .entries(let fields): self = .list(of: FieldTree(fields, api))
        }
    }
}
