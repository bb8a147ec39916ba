extension SettingsRepository {
    /// Makes the revision greater than one that other processes may have seen, when the settings they saw are replaced.
    package func raiseRevision(above seen: Int64) throws(StoreError) {
        let own = try revision()
        try setValue(String(max(own, seen)), for: "revision")
    }
}
