import Storage

/// Opens the store that is tortured, as any process of the library would.
enum StoreOpening {
    static func open(_ address: String, create: Bool = false) throws -> any Store {
        let location = try StoreLocation(parsing: address)
        if case .postgres(let url) = location { return try PostgresStore.open(url, create: create) }
        return try SQLiteStore.open(location, create: create)
    }
}
