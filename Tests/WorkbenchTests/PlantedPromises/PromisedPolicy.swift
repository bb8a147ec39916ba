import Scripting
import Testing

/// A policy written from the published rules of a library, what it promises, and mistakes that an author might make
/// in it.
struct PromisedPolicy: Sendable, CustomTestStringConvertible {
    let name: String
    let source: String
    /// Files that it requires, by name.
    var modules: [String: String] = [:]
    let promises: String
    let faults: [Fault]

    var testDescription: String { name }

    /// Another text in one place, and the promise that it breaks.
    struct Fault: Sendable {
        let promise: String
        let old: String
        let new: String

        init(breaks promise: String, _ old: String, _ new: String) {
            (self.promise, self.old, self.new) = (promise, old, new)
        }
    }

    func parsed() throws -> ParsedPolicy {
        try ParsedPolicy(name: "\(name).lua", source: source) { [modules] name in modules[name] }
    }

    /// The policy with a fault, in whichever file its text stands.
    func parsed(with fault: Fault) throws -> ParsedPolicy {
        let texts = [source] + modules.values
        try #require(texts.count { $0.contains(fault.old) } == 1, "\(name): \(fault.old)")
        func changed(_ text: String) -> String { text.replacing(fault.old, with: fault.new) }
        return try PromisedPolicy(
            name: name, source: changed(source), modules: modules.mapValues(changed), promises: promises, faults: []
        ).parsed()
    }

    static let all = [town, village, campus, faculty, consortium, archive, lending, toys, school]
}
