package import Desk

/// A process of a machine: a scheduler, or what does a run for one.
package struct JobOwner: Hashable, Sendable {
    /// `host/kernel:process:start`, the last in the machine's own ticks, so that no later process has the same.
    package let text: String
    /// When a process of this machine began; nil if it does not exist.
    private let beginning: @Sendable (Int) -> String?
    private let machine: String

    /// - Parameters:
    ///   - host: the machine's name, by which people and files know it.
    ///   - kernel: what no other running machine has, of two with one name neither: the process numbers are the
    ///     kernel's.
    ///   - process: the number of this process.
    ///   - beginning: when a process of this machine began; nil: there is none of that number.
    package init(host: String, kernel: String, process: Int, beginning: @escaping @Sendable (Int) -> String?) {
        machine = "\(host)/\(kernel)"
        self.beginning = beginning
        text = "\(machine):\(process):\(beginning(process) ?? "")"
    }

    package static func == (left: JobOwner, right: JobOwner) -> Bool { left.text == right.text }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Whether another one is there. Of other machines nothing is known, nor of this one before it was started anew.
    package func presence(of other: String) -> ProcessPresence {
        if other == text { return .present }
        let parts = other.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts.dropLast(2).joined(separator: ":") == machine,
            let process = Int(parts[parts.count - 2])
        else { return .unknown }
        return beginning(process) == String(parts[parts.count - 1]) ? .present : .gone
    }

    /// Whether another one works on a machine of the same name, where the same files are.
    package func sharesFiles(with other: String) -> Bool {
        other.split(separator: "/").first == machine.split(separator: "/").first
    }
}
