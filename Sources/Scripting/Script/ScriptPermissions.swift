/// What a script may do: what it was granted, and what of it the script declared.
package struct ScriptPermissions: Hashable, Sendable {
    /// What the runner allows.
    package let granted: Set<Capability>
    /// What the script said it needs. In `eval` and the REPL grants count as declared.
    package internal(set) var declared: Set<Capability>
    private let declaresByGrant: Bool

    /// For a script file: it declares what it needs by `needs`.
    package static func script(granted: Set<Capability>) -> ScriptPermissions {
        ScriptPermissions(granted: granted, declared: [], declaresByGrant: false)
    }

    /// For `eval` and the REPL: what is granted counts as declared.
    package static func interactive(granted: Set<Capability>) -> ScriptPermissions {
        ScriptPermissions(granted: granted, declared: granted, declaresByGrant: true)
    }

    /// Nothing but reading.
    package static let reading = ScriptPermissions.interactive(granted: [])

    func check(_ capability: Capability, for name: String) throws(CapabilityError) {
        if capability == .read || declared.contains(capability) { return }
        throw declaresByGrant ? .notAllowed(capability, function: name) : .notDeclared(capability, function: name)
    }

    /// - Throws: ``CapabilityError`` if something that a script needs was not granted.
    func grant(_ needed: Set<Capability>) throws(CapabilityError) {
        let missing = Capability.grantable.filter { needed.contains($0) && !granted.contains($0) }
        if !missing.isEmpty { throw .notGranted(missing) }
    }
}
