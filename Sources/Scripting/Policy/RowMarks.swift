package import Circulation
import LuaRuntime
package import LuaSyntax

/// Knows where the rows of a policy are written, in whatever file and by whatever code they come into its lists.
///
/// Lua keeps no line for a table. So each constructor that may make a row hands its table to a word that no policy can name
/// otherwise, which remembers the constructor until `policy` is called; then the tables in the lists are looked up. The
/// functions of decision points are left as they are: what they make never is a row.
struct RowMarks {
    private static let word = "_row"
    private static let readingWord = "_rows"

    /// The constructors, the first as 1.
    private let sites: [(file: String, table: TableConstructor)]
    private let texts: [String: [PolicySource.Insertion]]

    /// - Parameter probes: puts marks of its own into the text of the same files, which together have to find room.
    init(_ chunks: [Chunk], reserving probes: PolicyProbes? = nil) {
        var finder = ConstructorFinder()
        var texts: [String: [PolicySource.Insertion]] = [:]
        for chunk in chunks {
            let before = finder
            finder.begin(chunk)
            chunk.walk(&finder)
            let insertions = finder.insertions + (probes?.insertions(in: chunk.name) ?? [])
            let size = insertions.reduce(chunk.source.bytes.count) { $0 + $1.text.utf8.count }
            if size > LuaProfile.policy.maximumSourceSize || finder.sites.count > Self.mostSites {
                finder = before
            } else {
                texts[chunk.name] = finder.insertions
            }
        }
        sites = finder.sites
        self.texts = texts
    }

    func insertions(in file: String) -> [PolicySource.Insertion] { texts[file] ?? [] }

    /// The constructor of that number.
    subscript(site: Int) -> (file: String, table: TableConstructor)? {
        sites.indices.contains(site - 1) ? sites[site - 1] : nil
    }

    private static let words = Set(PolicyWord.names)
    /// Numbers up to this need no constant of their own.
    private static let mostSites = 60_000

    // MARK: - In Lua

    /// Makes the words of the marks known.
    ///
    /// - Parameter note: called with the constructors of the rows of each list, when `policy` is.
    static func define(in state: LuaState, note: @escaping ([PolicyTable: [Int]]) -> Void) throws {
        let environment = try state.makeEnvironment()
        try state.define("note", in: environment) { arguments in
            let lists = PolicyTable.allCases.enumerated().map { index, table in
                (table, (arguments[index].tableValue?.array ?? []).map { Int($0.integerValue ?? 0) })
            }
            note(Dictionary(uniqueKeysWithValues: lists))
            return []
        }
        let lists = PolicyTable.allCases.map { "list(given.\($0.rawValue))" }.joined(separator: ", ")
        let source = """
            local type, note = type, note
            -- Made when it is first needed: what a word refers to when it is defined is read-only.
            local marks, isOver
            local function list(rows)
                local sites = {}
                if type(rows) == "table" then
                    for place = 1, #rows do sites[place] = marks and marks[rows[place]] or 0 end
                end
                return sites
            end
            return function(site, made)
                if not isOver then
                    marks = marks or {}
                    marks[made] = site
                end
                return made
            end, function(given)
                if not isOver and type(given) == "table" then
                    note(\(lists))
                    marks, isOver = nil, true
                end
                return given
            end
            """
        let chunk = try state.load(source, chunk: PolicyPrelude.chunk, environment: environment)
        for (name, function) in zip([word, readingWord], try state.call(chunk)) {
            try state.define(name, value: function)
        }
    }

    // MARK: - In the text

    /// Finds the constructors that may make rows, and what is given to `policy`.
    private struct ConstructorFinder: LuaVisitor {
        private(set) var sites: [(file: String, table: TableConstructor)] = []
        private(set) var insertions: [PolicySource.Insertion] = []
        private var file = ""
        /// The bodies that run at decisions.
        private var deciding: Set<SourceRange> = []
        private var decisionDepth = 0
        private var tableDepth = 0
        /// What is given to a word of policies or of Lua, such as `notice { ... }`, by where it begins.
        private var given: Set<Int> = []
        /// What a call is given without parentheses, by where it begins.
        private var bare: Set<Int> = []

        mutating func begin(_ chunk: Chunk) {
            file = chunk.name
            (insertions, given, bare) = ([], [], [])
            let outline = PolicyOutline(chunk)
            deciding = Set((outline?.functions.map(\.range) ?? []) + (outline?.conditions.map(\.range) ?? []))
        }

        mutating func enter(_ function: FunctionBody) {
            if deciding.contains(function.fullRange) { decisionDepth += 1 }
        }

        mutating func leave(_ function: FunctionBody) {
            if deciding.contains(function.fullRange) { decisionDepth -= 1 }
        }

        mutating func enter(_ expression: Expression) {
            switch expression.kind {
            case .suffixed(let suffixed): noteArguments(suffixed)
            case .table(let table):
                tableDepth += 1
                if isRow(table) { mark(table) }
            default: break
            }
        }

        mutating func leave(_ expression: Expression) {
            if case .table = expression.kind { tableDepth -= 1 }
        }

        private func isRow(_ table: TableConstructor) -> Bool {
            // Each mark nests as deeply as a table does; rows stand near the surface.
            guard decisionDepth == 0, tableDepth <= 8, !given.contains(table.range.start.offset) else { return false }
            return table.entries.isEmpty || table.entries.contains { $0.name != nil }
        }

        private mutating func noteArguments(_ expression: SuffixedExpression) {
            for (place, suffix) in expression.suffixes.enumerated() {
                let arguments: [Expression]
                switch suffix.kind {
                case .call(let values), .method(_, let values): arguments = values
                default: continue
                }
                guard let first = arguments.first else { continue }
                if isBare(first, in: suffix) { bare.insert(first.range.start.offset) }
                guard place == 0, case .variable(let callee) = expression.base.kind, callee.binding == .global else {
                    continue
                }
                if RowMarks.words.contains(callee.name) { given.formUnion(arguments.map(\.range.start.offset)) }
                if callee.name == "policy", decisionDepth == 0 { wrap(first.range, RowMarks.readingWord + "(") }
            }
        }

        /// Whether the call has no parentheses: `row { ... }`.
        private func isBare(_ argument: Expression, in suffix: Suffix) -> Bool {
            argument.range.end.offset == suffix.range.end.offset
        }

        private mutating func mark(_ table: TableConstructor) {
            sites.append((file, table))
            wrap(table.range, "\(RowMarks.word)(\(sites.count),")
        }

        private mutating func wrap(_ range: SourceRange, _ call: String) {
            let isBare = bare.contains(range.start.offset)
            insertions.append(
                PolicySource.Insertion(offset: range.start.offset, text: isBare ? "(" + call : call))
            insertions.append(
                PolicySource.Insertion(offset: range.end.offset, text: isBare ? "))" : ")", isEnd: true))
        }
    }
}

/// The rows of a loaded policy as they are written.
package struct RowPlaces {
    /// A row and the file it stands in.
    package struct Row {
        package let file: String
        package let outline: PolicyOutline.Row
    }

    let marks: RowMarks
    let sites: [PolicyTable: [Int]]

    /// The row at a one-based place; nil where no file has it, written as a table.
    package func row(_ index: Int, of table: PolicyTable) -> Row? {
        guard let sites = sites[table], sites.indices.contains(index - 1), let site = marks[sites[index - 1]] else {
            return nil
        }
        return Row(file: site.file, outline: PolicyOutline.Row(site.table, index: index, of: table.rawValue))
    }
}

extension LuaPolicy {
    /// Where its rows are written. Reckoned anew each time.
    package var rowPlaces: RowPlaces {
        RowPlaces(marks: RowMarks(parsed.chunks, reserving: probes), sites: loaded.rowSites)
    }
}
