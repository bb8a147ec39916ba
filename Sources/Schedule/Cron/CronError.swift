/// Why a text is not a cron expression, in words for its author.
package struct CronError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String

    init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}
