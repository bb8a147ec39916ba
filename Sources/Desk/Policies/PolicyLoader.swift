package import Circulation

/// Makes policies out of the bundles that the store keeps. Implemented where the language of policies is known.
package protocol PolicyLoader: Sendable {
    /// Runs the body with the policy of a bundle.
    ///
    /// Loaded policies are pooled by version; each is used by one caller at a time. Calls nest: a body may ask for
    /// another version, or for the same one again.
    ///
    /// - Parameter fields: the library's own that it may read.
    /// - Throws: ``PolicyFailure`` if the bundle is not a policy; whatever the body throws.
    func withPolicy<Result>(
        _ bundle: PolicyBundle, _ fields: CustomFields, _ body: (any LendingPolicy) throws -> Result
    ) throws -> Result

    /// Runs the body with the policy of a bundle that no store has kept yet, for which today's rules hold in full.
    ///
    /// - Throws: as ``withPolicy(_:_:)``.
    func withNewPolicy<Result>(
        _ bundle: PolicyBundle, _ fields: CustomFields, _ body: (any LendingPolicy) throws -> Result
    ) throws -> Result

    /// The SHA-256 that names a bundle of these files, so that a stored bundle can be checked against its name.
    func digest(of files: [PolicyBundle.File]) -> String
}

extension PolicyLoader {
    package func withNewPolicy<Result>(
        _ bundle: PolicyBundle, _ fields: CustomFields, _ body: (any LendingPolicy) throws -> Result
    ) throws -> Result {
        try withPolicy(bundle, fields, body)
    }
}
