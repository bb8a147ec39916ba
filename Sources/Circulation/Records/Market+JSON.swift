package import TextFormats

extension TitleProposal {
    /// The proposal as stores, events and exports write it.
    package var json: JSONObject {
        var object: JSONObject = [:]
        object["isbn"] = isbn.map { .string($0.digits13) }
        object["title"] = .string(title)
        if !authors.isEmpty { object["authors"] = .array(authors.map { .string($0) }) }
        if !courses.isEmpty { object["courses"] = .array(courses.map { .string($0) }) }
        object["college"] = college.map { .string($0) }
        return object
    }

    /// Reads what ``json`` writes; nil for anything else.
    package init?(json: JSONObject) {
        guard let title = json["title"]?.stringValue else { return nil }
        var isbn: ISBN?
        if let text = json["isbn"]?.stringValue {
            guard let found = try? ISBN(text) else { return nil }
            isbn = found
        }
        let texts = { (key: String) in (json[key]?.arrayValue ?? []).compactMap(\.stringValue) }
        self.init(
            isbn: isbn, title: title, authors: texts("authors"), courses: texts("courses"),
            college: json["college"]?.stringValue)
    }

    /// The title that it would become.
    package var record: Title {
        Title(
            isbn: isbn, title: title, authors: authors, courses: courses.map { Course(code: $0) }, college: college)
    }
}

extension PriceLine {
    /// The line as stores and exports write it: `{"label", "amount"}`, and `item` where it is owed to that one's seller.
    package var json: JSON {
        var object: JSONObject = ["label": .string(label), "amount": .string(amount.description)]
        object["item"] = item.map { .integer($0) }
        return .object(object)
    }

    /// Reads what ``json`` writes; nil for anything else.
    package init?(json: JSON) {
        guard let label = json["label"]?.stringValue, let text = json["amount"]?.stringValue,
            let amount = try? Money(parsing: text)
        else { return nil }
        var item: Int64?
        switch json["item"] {
        case nil, .null?: break
        case .integer(let place)? where place > 0: item = place
        default: return nil
        }
        self.init(label: label, amount: amount, item: item)
    }
}
