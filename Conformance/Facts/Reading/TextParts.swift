extension String {
    /// What stands between two texts.
    func components(between start: String, and end: String) -> String? {
        guard let from = firstRange(of: start), let to = self[from.upperBound...].firstRange(of: end) else {
            return nil
        }
        return String(self[from.upperBound..<to.lowerBound])
    }

    /// What follows a text.
    func components(after start: String) -> String? {
        firstRange(of: start).map { String(self[$0.upperBound...]) }
    }
}
