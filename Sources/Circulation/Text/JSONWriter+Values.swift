package import TextFormats

extension JSONWriter {
    /// A member that is left out without a value.
    package mutating func member(_ key: String, _ value: String?) {
        guard let value else { return }
        self.key(key)
        string(value)
    }

    /// Left out without a value.
    package mutating func member(_ key: String, _ value: Int64?) {
        guard let value else { return }
        self.key(key)
        integer(value)
    }

    /// A member that always stands.
    package mutating func member(_ key: String, _ value: Bool) {
        self.key(key)
        bool(value)
    }

    /// A mark that stands only where it holds.
    package mutating func mark(_ key: String, _ value: Bool) {
        guard value else { return }
        self.key(key)
        bool(true)
    }

    /// Left out without a value.
    package mutating func member(_ key: String, _ value: Instant?) {
        guard let value else { return }
        self.key(key)
        string(value.description)
    }

    /// Left out without a value.
    package mutating func member(_ key: String, _ value: CivilDate?) {
        guard let value else { return }
        self.key(key)
        string(value.description)
    }

    /// Left out without a value.
    package mutating func member(_ key: String, _ value: Money?) {
        guard let value else { return }
        self.key(key)
        string(value.description)
    }

    /// Left out where empty.
    package mutating func member(_ key: String, _ values: [String]) {
        guard !values.isEmpty else { return }
        self.key(key)
        beginArray()
        for value in values { string(value) }
        endArray()
    }

    /// Left out where empty.
    package mutating func member(_ key: String, ids: [Int64]) {
        guard !ids.isEmpty else { return }
        self.key(key)
        beginArray()
        for id in ids { integer(id) }
        endArray()
    }

    /// Left out where empty.
    package mutating func member(_ key: String, _ object: JSONObject) {
        guard !object.isEmpty else { return }
        self.key(key)
        value(.object(object))
    }

    /// A member that is null without a value.
    package mutating func nullable(_ key: String, _ value: String?) {
        self.key(key)
        if let value { string(value) } else { null() }
    }

    /// A member that is null without a value.
    package mutating func nullable(_ key: String, _ value: Int64?) {
        self.key(key)
        if let value { integer(value) } else { null() }
    }

    /// `key: { ... }` with what the body writes of the value, or null where there is none.
    package mutating func object<Value>(
        _ key: String, of value: Value?, _ body: (Value, inout JSONWriter) -> Void
    ) {
        self.key(key)
        guard let value else { return null() }
        beginObject()
        body(value, &self)
        endObject()
    }

    /// `key: { ... }` with what the body writes.
    package mutating func object(_ key: String, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        beginObject()
        body(&self)
        endObject()
    }

    /// `key: [ ... ]` with an element for each value.
    package mutating func list<Element>(_ key: String, _ values: [Element], _ body: (inout JSONWriter, Element) -> Void)
    {
        self.key(key)
        beginArray()
        for value in values {
            beginObject()
            body(&self, value)
            endObject()
        }
        endArray()
    }
}
