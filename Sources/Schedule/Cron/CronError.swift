/// Why a text is no cron expression, in words for whoever wrote it.
package struct CronError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String

    init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}
