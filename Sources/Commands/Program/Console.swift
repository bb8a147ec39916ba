import Foundation
import TextFormats

/// The streams of a command: results go to standard output, everything else to standard error.
package final class Console {
    /// One of the two streams.
    package struct Stream {
        /// Whether it is a terminal: only then there are colours, aligned tables and progress.
        package var isTerminal: Bool
        /// Columns; 80 by default.
        package var width: Int { measure() }
        package var usesColour: Bool
        let write: ([UInt8]) -> Bool
        private let measure: () -> Int

        /// - Parameter width: evaluated at each use, since a terminal may be resized.
        package init(
            isTerminal: Bool, width: @escaping @autoclosure () -> Int = 80, usesColour: Bool = false,
            write: @escaping ([UInt8]) -> Bool
        ) {
            self.isTerminal = isTerminal
            measure = width
            self.usesColour = usesColour
            self.write = write
        }
    }

    package let output: Stream
    package let error: Stream
    /// A write to standard output failed: the disk is full or the reader of a pipe has gone.
    package private(set) var outputFailed = false
    private var showsProgress = false

    package init(output: Stream, error: Stream) {
        self.output = output
        self.error = error
    }

    /// The process's own streams.
    package static func standard(environment: [String: String]) -> Console {
        func stream(_ descriptor: Int32) -> Stream {
            let isTerminal = isatty(descriptor) == 1
            let colour = isTerminal && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
            return Stream(
                isTerminal: isTerminal, width: terminalWidth(descriptor, environment), usesColour: colour
            ) { writeAll($0, to: descriptor) }
        }
        return Console(output: stream(STDOUT_FILENO), error: stream(STDERR_FILENO))
    }

    /// A line of the result.
    package func print(_ line: String) {
        write(line + "\n")
    }

    /// A part of the result, without a line end.
    package func write(_ text: String) {
        if !output.write(Array(text.utf8)) { outputFailed = true }
    }

    /// A part of the result as bytes.
    func write(bytes: some Sequence<UInt8>) {
        if !output.write(Array(bytes)) { outputFailed = true }
    }

    /// A line for the person at the terminal.
    package func note(_ line: String) {
        _ = error.write(Array((line + "\n").utf8))
    }

    /// The result as JSON on a line of its own.
    func print(json: JSON) {
        print(json.text(pretty: output.isTerminal))
    }

    /// A progress line that the next one overwrites; at a terminal only.
    package func progress(_ line: String) {
        guard error.isTerminal else { return }
        let fitted = String(line.prefix(max(10, error.width - 1)))
        _ = error.write(Array("\r\u{1B}[K\(fitted)".utf8))
        showsProgress = true
    }

    /// Removes the last progress line.
    package func endProgress() {
        if showsProgress { _ = error.write(Array("\r\u{1B}[K".utf8)) }
        showsProgress = false
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var start = 0
        while start < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                Foundation.write(descriptor, buffer.baseAddress?.advanced(by: start), buffer.count - start)
            }
            if written < 0 && errno == EINTR { continue }
            if written <= 0 { return false }
            start += written
        }
        return true
    }

    private static func terminalWidth(_ descriptor: Int32, _ environment: [String: String]) -> Int {
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return environment["COLUMNS"].flatMap(Int.init) ?? 80
    }
}
