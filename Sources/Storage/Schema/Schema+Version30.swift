// Fields of the library's own: what each version of a plugin declares, and a place for their values where copies had none. In force are
// those of the versions that are; see ``PluginRepository/customFields()``.
extension Schema {
    static let ownFields = """
        ALTER TABLE plugin_versions ADD COLUMN fields TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE copies ADD COLUMN extra TEXT NOT NULL DEFAULT '{}';
        """
}
