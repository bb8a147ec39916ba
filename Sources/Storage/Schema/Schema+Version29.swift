import Circulation

// What goes out to servers by itself: requests of plugins and of subscriptions, what signs them, and the subscriptions. How far
// they are concerns machines and stands in no event.
extension Schema {
    static let outgoingRequests = """
        CREATE TABLE outgoing_requests (
            id {identity},
            owner TEXT NOT NULL,
            message TEXT NOT NULL UNIQUE,
            method TEXT NOT NULL,
            url TEXT NOT NULL,
            place TEXT NOT NULL,
            type TEXT NOT NULL,
            headers TEXT NOT NULL,
            body TEXT NOT NULL,
            patron {integer} REFERENCES patrons (id) ON DELETE CASCADE,
            state TEXT NOT NULL CHECK (\(oneOf("state", OutgoingRequest.State.allCases.map(\.rawValue)))),
            tries {integer} NOT NULL,
            created_at {integer} NOT NULL,
            queued_at {integer} NOT NULL,
            due_at {integer} NOT NULL,
            worker TEXT,
            ended_at {integer},
            status {integer},
            failure TEXT,
            words TEXT
        ) {options};
        CREATE INDEX outgoing_requests_waiting ON outgoing_requests (owner, place, id) WHERE state = 'queued';
        CREATE INDEX outgoing_requests_by_owner ON outgoing_requests (owner, state, id);
        CREATE INDEX outgoing_requests_by_state ON outgoing_requests (state, id);
        CREATE INDEX outgoing_requests_telling ON outgoing_requests (id) WHERE words IS NOT NULL;
        CREATE INDEX outgoing_requests_ended ON outgoing_requests (ended_at) WHERE ended_at IS NOT NULL;
        CREATE INDEX outgoing_requests_by_patron ON outgoing_requests (patron) WHERE patron IS NOT NULL;
        CREATE TABLE signing_secrets (
            owner TEXT PRIMARY KEY NOT NULL,
            secret TEXT NOT NULL
        ) {options};
        CREATE TABLE webhooks (
            id {identity},
            url TEXT NOT NULL,
            events TEXT NOT NULL,
            note TEXT NOT NULL,
            state TEXT NOT NULL CHECK (\(oneOf("state", Webhook.State.allCases.map(\.rawValue)))),
            position {integer} NOT NULL,
            created_at {integer} NOT NULL,
            failing_since {integer}
        ) {options};
        """
}
