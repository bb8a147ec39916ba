package import TextFormats

/// A line of a policy that ran for a decision, with what the variables and fields named on it held when it began.
package struct TracedLine: Hashable, Sendable {
    package struct Value: Hashable, Sendable {
        /// As it is written: `case.patron.fees_owed`.
        package var name: String
        package var value: Held

        package init(name: String, value: Held) {
            self.name = name
            self.value = value
        }
    }

    /// What a name stood for.
    package enum Held: Hashable, Sendable {
        case plain(JSON)
        /// Money, a date, an instant or a period: as programs read it, and as a policy writes it.
        case value(String, words: String)
        /// A part of the case that has fields of its own.
        case record
        /// A list or a table with that many elements.
        case list(Int)
    }

    package var file: String
    package var line: Int
    package var values: [Value]
    /// What the function answered on this line; nil where it goes on, or answered what is not plain data.
    package var returned: JSON?

    package init(file: String, line: Int, values: [Value], returned: JSON? = nil) {
        self.file = file
        self.line = line
        self.values = values
        self.returned = returned
    }
}

extension TracedLine {
    /// `{"file", "line", "values": {"case.patron.age": 12}}`, with `returned` where a function ended on the line. A
    /// part of the case is `{}`, a list `{"count"}`.
    func write(to writer: inout JSONWriter) {
        writer.member("file", file)
        writer.member("line", Int64(line))
        writer.object("values") { writer in
            for value in values {
                writer.key(value.name)
                writer.value(value.value.json)
            }
        }
        if let returned {
            writer.key("returned")
            writer.value(returned)
        }
    }
}

extension TracedLine.Held {
    package var json: JSON {
        switch self {
        case .plain(let json): json
        case .value(let text, _): .string(text)
        case .record: [:]
        case .list(let count): ["count": .integer(Int64(count))]
        }
    }
}
