package import Circulation
package import Storage

/// A file that an import could not read.
package enum UnreadFile {
    /// The name of the first of some translators, which the import did not have, that knows the file; nil: none does, or the
    /// problem is another one.
    ///
    /// - Parameter problem: why it could not be read.
    package static func reader(
        of path: String, _ problem: ImportProblem, _ options: ImportOptions, among others: [any TableTranslator],
        tally: RowCounter, fields: CustomFields
    ) -> String? {
        guard ["no_translator", "unknown_table"].contains(problem.code), options.translator == nil
        else { return nil }
        guard let file = try? InputFile(path, options) else { return nil }
        // One that fails does not stand in the way of the others.
        return others.first { other in
            (try? Translators(all: [other], tally: tally, fields: fields).best(for: file, options)) != nil
        }?.name
    }
}
