import Foundation

/// Waits for what another process, thread or server does.
///
/// A wait ends as soon as its condition holds. The time after which it gives up is no measure of speed: it keeps a test whose
/// condition never comes true from running for ever.
package enum Waiting {
    package struct InVain: Error, CustomStringConvertible {
        package let description: String
    }

    private static let most: TimeInterval = 900

    /// - Throws: ``InVain`` if the condition does not come true; what the condition throws.
    package static func until(_ what: String, _ condition: () throws -> Bool) throws {
        let end = Date(timeIntervalSinceNow: most)
        while try !condition() {
            guard Date() < end else { throw InVain(description: "waited in vain until \(what)") }
            usleep(10_000)
        }
    }

    /// The same in a task, whose thread others use meanwhile.
    package static func inTask(
        until what: String, isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
    ) async throws {
        let end = Date(timeIntervalSinceNow: most)
        while try await !condition() {
            guard Date() < end else { throw InVain(description: "waited in vain until \(what)") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
