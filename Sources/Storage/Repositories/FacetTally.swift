import Circulation

/// Counts titles by what they are, and by what the query does not say yet. Lists are read once for all titles that have the same.
struct FacetTally {
    let query: CatalogueQuery
    private var authors: [String: Int64] = [:]
    private var subjects: [[String]: Int64] = [:]
    private var years: [Int64: Int64] = [:]
    private var languages: [String: Int64] = [:]
    private var branches: [String: Set<Int64>] = [:]
    private var available: Set<Int64> = []

    init(query: CatalogueQuery) { self.query = query }

    /// - Parameters:
    ///   - authors: the list as it is stored.
    ///   - subjects: the lists of genres and of subjects.
    mutating func add(authors: String, subjects: [String], year: Int64?, language: String?) {
        self.authors[authors, default: 0] += 1
        self.subjects[subjects, default: 0] += 1
        if let year { years[year, default: 0] += 1 }
        if let language { languages[language, default: 0] += 1 }
    }

    mutating func add(copyOf title: Int64, status: String, branch: String) {
        if status == CopyStatus.lost.rawValue || status == CopyStatus.withdrawn.rawValue { return }
        let isAvailable = status == CopyStatus.available.rawValue
        // A copy is to be both where and as it is wanted.
        if isAvailable || !query.available { branches[branch, default: []].insert(title) }
        if isAvailable, query.branch == nil || query.branch == branch { available.insert(title) }
    }

    /// The most frequent values of each kind.
    func counts(values: Int, isMore: Bool) throws(StoreError) -> [FacetCount] {
        func counts(_ kind: FacetCount.Kind, _ titles: [String: Int64]) -> [FacetCount] {
            query.has(kind)
                ? []
                : titles.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(values)
                    .map { FacetCount(kind: kind, value: $0.key, titles: $0.value, isMore: isMore) }
        }
        var byAuthor = NamedCounts()
        for (list, titles) in authors { byAuthor.add(try RowReader.texts(list), titles) }
        var bySubject = NamedCounts()
        for (lists, titles) in subjects {
            var names: [String] = []
            for list in lists { names += try RowReader.texts(list) }
            bySubject.add(names, titles)
        }
        var byLanguage = NamedCounts()
        for (language, titles) in languages { byLanguage.add([language], titles) }
        var byDecade: [String: Int64] = [:]
        for (year, titles) in years where (1_000...9_999).contains(year) {
            byDecade[String(year / 10 * 10), default: 0] += titles
        }
        return counts(.author, byAuthor.frequent(values)) + counts(.genre, bySubject.frequent(values))
            + counts(.language, byLanguage.frequent(values, whole: true)) + counts(.decade, byDecade)
            + counts(.year, Dictionary(years.map { (String($0), $1) }, uniquingKeysWith: +))
            + counts(.branch, branches.mapValues { Int64($0.count) })
            + counts(.available, available.isEmpty ? [:] : ["true": Int64(available.count)])
    }
}

extension CatalogueQuery {
    /// Whether it names a value of a kind.
    fileprivate func has(_ kind: FacetCount.Kind) -> Bool {
        switch kind {
        case .author: facets.author != nil
        case .genre: facets.genre != nil
        case .language: facets.language != nil
        case .decade: facets.decade != nil
        case .year: facets.year != nil
        case .branch: branch != nil
        case .available: available
        }
    }
}

/// Counts of titles by names. A query for a name finds titles with longer names that have its words side by side as well, so
/// that those count for the shorter one.
private struct NamedCounts {
    private var lists: [(keys: Set<Int>, titles: Int64)] = []
    private var keys: [String: Int] = [:]
    private var words: [[String]] = []
    /// By key: how often it stands alone, and how it is written most often.
    private var alone: [Int64] = []
    private var spellings: [[String: Int64]] = []
    private var keysOfNames: [String: Int] = [:]

    mutating func add(_ names: [String], _ titles: Int64) {
        var list: Set<Int> = []
        for name in names {
            guard let key = key(of: name) else { continue }
            if list.insert(key).inserted { alone[key] += titles }
            spellings[key][name, default: 0] += titles
        }
        if !list.isEmpty { lists.append((list, titles)) }
    }

    /// nil for a name without words.
    private mutating func key(of name: String) -> Int? {
        if let known = keysOfNames[name] { return known }
        let tokens = TextFolding.tokens(name)
        guard !tokens.isEmpty else { return nil }
        let folded = tokens.joined(separator: " ")
        let key = keys[folded] ?? words.count
        if key == words.count {
            keys[folded] = key
            words.append(tokens)
            alone.append(0)
            spellings.append([:])
        }
        keysOfNames[name] = key
        return key
    }

    /// The names that stand alone most often, in their most frequent spelling, each with the titles that a query for it finds.
    ///
    /// - Parameter whole: whether a query looks for the whole name.
    func frequent(_ count: Int, whole: Bool = false) -> [String: Int64] {
        let names = words.indices.map(spelling)
        let first = words.indices.sorted { (alone[$1], names[$0]) < (alone[$0], names[$1]) }.prefix(count)
        var found: [String: Int64] = [:]
        for key in first {
            let term = SearchTerm(words: words[key])
            let longer: Set<Int> = whole ? [key] : Set(words.indices.filter { term.isFound(in: words[$0]) })
            found[names[key]] = lists.reduce(0) { $1.keys.isDisjoint(with: longer) ? $0 : $0 + $1.titles }
        }
        return found
    }

    private func spelling(_ key: Int) -> String {
        spellings[key].min { ($1.value, $0.key) < ($0.value, $1.key) }?.key ?? ""
    }
}
