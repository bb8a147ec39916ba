import Circulation
import LuaSyntax
import Prover
import Scripting

extension PolicyProver {
    /// A policy with the words that Lua gives it, for the fields of the library for which it is read.
    ///
    /// - Parameter tables: as they were read of it.
    /// - Throws: ``ProofError`` without a solver; ``Unsettled`` where its files cannot be followed.
    convenience init(
        _ policy: ParsedPolicy, tables: CompiledTables, codes: ProofDomain.Codes, currency: Currency
    ) throws {
        let library = try LuaLibrary()
        let prelude = try LuaParser.parse(PolicyPrelude.source, chunk: PolicyPrelude.chunk)
        try self.init(
            policy.chunks, tables: tables,
            domain: ProofDomain(LibraryCase(policy.fields), codes: codes, currency: currency),
            surroundings: .init(prelude: prelude, names: PolicyPrelude.names) { try library.reckon($0, $1) })
    }
}
