import Circulation
import Desk
import Languages
import LuaRuntime

/// What a code of a report is a code of.
package enum ReportCodeKind: String, Hashable, Sendable, Codable, CaseIterable {
    case branch, category
    case itemType = "item_type"
    case location, language, month, week, weekday, word

    /// Whether their codes are in the order in which people want them.
    var isInOrder: Bool { [.month, .week, .weekday].contains(self) }

    /// What the library declares of the kind; nil: they are other codes.
    fileprivate var declared: ((SettingsService) throws -> [any DeclaredCode])? {
        switch self {
        case .branch: return { try $0.branches() }
        case .category: return { try $0.categories() }
        case .itemType: return { try $0.itemTypes() }
        case .location: return { try $0.locations() }
        case .language, .month, .week, .weekday, .word: return nil
        }
    }
}

/// What people call the codes of one kind, in the language of a report.
struct ReportNames {
    private let kind: ReportCodeKind
    private let language: Language
    /// The names of what the library declares.
    private var declared: [String: String] = [:]

    /// - Parameter session: asked for what the library declares, for the kinds of which it does.
    init(of kind: ReportCodeKind, in language: Language, from session: DeskSession? = nil) throws {
        self.kind = kind
        self.language = language
        guard let session, let entries = try kind.declared?(session.settings) else { return }
        declared = Dictionary(entries.map { ($0.code, $0.name) }) { first, _ in first }
    }

    /// The name of a code; nil: it has none.
    func name(of code: String) -> String? {
        if code == FigureWords.unknown { return language.notKnown }
        switch kind {
        case .branch, .category, .itemType, .location: return declared[code]
        case .language: return language.name(ofLanguage: code)
        case .month:
            guard let (year, month) = Self.pair(code, "-"), (1...12).contains(month) else { return nil }
            return language.month(year: year, month: month)
        case .week:
            guard let (year, week) = Self.pair(code, "-W") else { return nil }
            return language.week(week, year: year)
        case .weekday: return Int(code).flatMap(Weekday.init).map { FigureWords.weekday($0, in: language) }
        case .word: return language.word(code)
        }
    }

    /// The names of the codes in a column.
    func codes(_ values: some Sequence<ReportValue>) -> ReportCodes {
        var names: [String: String] = [:]
        for value in values {
            let code = value.text
            if names[code] == nil, !code.isEmpty { names[code] = name(of: code) ?? code }
        }
        return ReportCodes(names, areInOrder: kind.isInOrder)
    }

    /// The numbers of `2026-12` and `2026-W52`.
    private static func pair(_ code: String, _ sign: String) -> (Int, Int)? {
        let parts = code.split(separator: sign, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 4, parts[1].utf8.count == 2, let year = Int(parts[0]),
            let number = Int(parts[1]), year >= 0, number >= 0
        else { return nil }
        return (year, number)
    }
}

extension ScriptContext {
    /// The language in which the report speaks; English as long as it does not say otherwise.
    var language: Language { document.language.map { languages().speaking($0) } ?? .english }

    /// What people call codes of a kind, in the language of the report.
    func names(of kind: ReportCodeKind) throws -> ReportNames {
        guard kind.declared != nil else { return try ReportNames(of: kind, in: language) }
        let language = language
        return try read { try ReportNames(of: kind, in: language, from: $0) }
    }
}
