/// The fields that apply to a case: for each group, the row that set it.
///
/// It holds positions in the tables, so that it is cheap to make; values and places are read from the tables when asked.
package struct MatchedRule: Hashable, Sendable {
    let tables: CompiledTables
    /// For each group of the tables the reading position of the row that set it, or -1.
    let positions: [Int]

    /// The value that holds: the row's, or the built-in default of an unset field; nil for nothing and for `none`.
    package subscript(field: String) -> RuleValue? {
        switch setValue(of: field) {
        case .some(.none): nil
        case .some(let value): value
        case nil: RuleField.named[field]?.standard
        }
    }

    /// What a row says of the field, `none` included; nil if none sets it.
    package func setValue(of field: String) -> RuleValue? {
        guard let row = row(setting: RuleField.named[field]?.group ?? .free(field)) else { return nil }
        return tables.source.rules[row].fields[field]
    }

    /// The zero-based index of the row that set the group, nil if none did.
    package func row(setting group: RuleGroup) -> Int? {
        position(of: group).map { tables.order[$0] }
    }

    /// Where the field stands in the policy, or where the row does that set its group; nil if none did.
    package func origin(of field: String) -> RuleOrigin? {
        guard let row = row(setting: RuleField.named[field]?.group ?? .free(field)) else { return nil }
        return tables.origin(ofRule: row, field: field)
    }

    /// For each group that some row set, the zero-based index of that row.
    package var rows: [RuleGroup: Int] {
        var rows: [RuleGroup: Int] = [:]
        for (group, position) in zip(tables.groups, positions) where position >= 0 {
            rows[group] = tables.order[position]
        }
        return rows
    }

    /// The values of all fields that rows set, defaults not included; `.none` where a row says so.
    package var values: [String: RuleValue] {
        var values: [String: RuleValue] = [:]
        for (group, row) in rows {
            for (field, value) in tables.source.rules[row].fields
            where (RuleField.named[field]?.group ?? .free(field)) == group {
                values[field] = value
            }
        }
        return values
    }

    /// Where each of the ``values`` stands.
    package var origins: [String: RuleOrigin] {
        Dictionary(uniqueKeysWithValues: values.keys.compactMap { field in origin(of: field).map { (field, $0) } })
    }

    private func position(of group: RuleGroup) -> Int? {
        let index: Int?
        if case .free(let field) = group {
            index = tables.freeGroups[field]
        } else {
            index = RuleGroup.builtIn.firstIndex(of: group)
        }
        guard let index, positions[index] >= 0 else { return nil }
        return positions[index]
    }

    /// The typed fields of the row that set the group, or the built-in defaults.
    private func terms(_ group: BuiltInGroup) -> RuleTerms {
        let position = positions[group.rawValue]
        return position >= 0 ? tables.terms[position] : .standard
    }

    var lending: LendingTerms { terms(.lending).lending }
    var period: PeriodTerms { terms(.period).period }
    var renewal: RenewalTerms { terms(.renewal).renewal }
    var fine: FineTerms { terms(.fine).fine }
    var suspension: SuspensionTerms { terms(.suspension).suspension }
    var hold: HoldTerms { terms(.hold).hold }
    var rental: RentalTerms { terms(.rental).rental }
    var sameTitle: SameTitleTerms { terms(.sameTitle).sameTitle }
    package var lost: LostTerms { terms(.lost).lost }
}

extension MatchedRule {
    /// A rule of these fields, as one row for all cases would set them.
    ///
    /// - Throws: ``PolicyFailure`` for a value that its field does not take.
    package init(fields: [String: RuleValue]) throws {
        let row = RuleRow(
            conditions: RowConditions(), fields: fields, place: SourcePlace(file: "policy.lua", line: 1))
        let tables = try CompiledTables(PolicyTables(rules: [row]))
        self.init(tables: tables, positions: tables.setters.map { $0.contains(0) ? 0 : -1 })
    }

    /// A rule that no row sets: the built-in defaults.
    package init() {
        self.init(tables: .empty, positions: Array(repeating: -1, count: CompiledTables.empty.groups.count))
    }
}

/// The built-in groups by their index, in the order of ``RuleGroup/builtIn``.
private enum BuiltInGroup: Int {
    case lending, period, renewal, fine, suspension, hold, sameTitle, lost, rental
}

extension CompiledTables {
    func origin(ofRule row: Int, field: String? = nil) -> RuleOrigin {
        let rule = source.rules[row]
        let place = field.flatMap { rule.fieldPlaces[$0] } ?? rule.place
        return RuleOrigin(table: .rules, row: row + 1, field: field, file: place.file, line: place.line)
    }

    func origin(ofLimit row: Int) -> RuleOrigin {
        let place = source.limits[row].place
        return RuleOrigin(table: .limits, row: row + 1, field: nil, file: place.file, line: place.line)
    }

    func origin(ofNotice row: Int) -> RuleOrigin {
        let place = source.notices[row].place
        return RuleOrigin(table: .notices, row: row + 1, field: nil, file: place.file, line: place.line)
    }

    func origin(ofMembership row: Int) -> RuleOrigin {
        let place = source.membership[row].place
        return RuleOrigin(table: .membership, row: row + 1, field: nil, file: place.file, line: place.line)
    }
}
