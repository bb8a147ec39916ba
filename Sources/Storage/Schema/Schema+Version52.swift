// Copies have call numbers.
extension Schema {
    static let callNumbers = "ALTER TABLE copies ADD COLUMN call_number TEXT"
}
