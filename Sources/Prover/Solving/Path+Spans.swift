// What grows less the later it begins.
extension Path {
    /// States that of two spans the one that begins later is not the longer one.
    ///
    /// - Parameter what: tells spans of one kind and one end from others.
    func falls(_ what: String, from start: Number, _ value: Number) throws {
        if spans.contains(where: { $0.what == what && $0.from == start }) { return }
        for other in spans where other.what == what {
            try assume((start <= other.from).implies(other.value <= value))
            try assume((other.from <= start).implies(value <= other.value))
        }
        spans.append((what, start, value))
    }
}
