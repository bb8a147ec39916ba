import Foundation
import Glibc

/// How much the memory of this process grows, as the kernel counts it.
package enum PeakMemory {
    /// Whether the figures are the program's own: a sanitizer keeps memory around each block, and for a while what was freed.
    package static let isTheProgramsOwn = dlsym(nil, "__asan_init") == nil

    /// The bytes by which the resident memory grew at most while the body ran. Other tests in this process count too, so
    /// that a test which measures runs alone.
    package static func growth(_ body: () throws -> Void) rethrows -> Int {
        restart()
        let before = figure("VmHWM:")
        try body()
        return max(0, figure("VmHWM:") - before)
    }

    /// Sets the peak back to what is resident now (proc(5), `clear_refs`). Where the kernel does not, growth beyond an
    /// earlier peak is still seen.
    private static func restart() {
        let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "5", 1)
        close(file)
    }

    /// A line of `/proc/self/status`, in bytes.
    private static func figure(_ name: String) -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kilobytes = line.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
        else { return 0 }
        return kilobytes << 10
    }
}
