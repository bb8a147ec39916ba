package import Circulation
package import Languages

extension ReportDocument {
    /// Runs the body, which makes the report into something, in the language in which the report speaks.
    ///
    /// - Parameter languages: asked for only where the report names one.
    package func spoken<Result>(
        in languages: @autoclosure () throws -> Languages, _ body: () throws -> Result
    ) rethrows -> Result {
        guard let language else { return try body() }
        return try Language.$spoken.withValue(try languages().speaking(language)) { try body() }
    }
}
