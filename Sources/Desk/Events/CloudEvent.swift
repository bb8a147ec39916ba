import Circulation
package import TextFormats

/// An event as programs outside have it: CloudEvents 1.0 in JSON, without what people wrote about a person.
///
/// <https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md>
package struct CloudEvent {
    /// The media type of one.
    package static let type = "application/cloudevents+json"
    /// The media type of several in an array.
    package static let batch = "application/cloudevents-batch+json"

    package let event: PublicEvent
    /// Where the library is reached: with the id it makes the event one of its own in the world.
    package let source: String

    package init(event: PublicEvent, source: String) {
        self.event = event
        self.source = source
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("specversion", "1.0")
        writer.member("id", String(event.sequence))
        writer.member("source", source)
        writer.member("type", "moonshelf." + event.name)
        writer.member("subject", subject)
        writer.member("time", event.at)
        writer.member("actor", event.actor)
        writer.member("datacontenttype", "application/json")
        writer.key("data")
        event.write(to: &writer)
        writer.endObject()
    }

    package var json: JSON { JSON { write(to: &$0) } }

    /// As server-sent events have it, by its sequence, so that a client can go on from there.
    package func write(toStream text: inout String, _ writer: inout JSONWriter) {
        writer.reset()
        write(to: &writer)
        text += "id: \(event.sequence)\nevent: \(event.name)\ndata: \(writer.text)\n\n"
    }

    /// The first record that it names.
    private var subject: String? {
        for (field, value) in zip(event.declaration.fields, event.values) {
            if case .record(let reference) = field.type, case .plain(.integer(let id)) = value {
                return "\(reference.rawValue)/\(id)"
            }
        }
        return nil
    }
}
