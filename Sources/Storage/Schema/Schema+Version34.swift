// What the next sweep of a day may leave out: up to which event the last one knew what had happened, and the loans whose turn may come
// again on the day itself. How far a sweep is concerns machines and stands in no event.
extension Schema {
    static let sweeps = """
        CREATE TABLE sweep_reached (
            generation {integer} NOT NULL,
            is_whole {integer} NOT NULL,
            began_at {integer} NOT NULL,
            day_ends_at {integer} NOT NULL,
            horizon {integer} NOT NULL,
            event {integer} NOT NULL,
            settings {integer} NOT NULL,
            activation {integer} NOT NULL,
            actor TEXT NOT NULL
        ) {options};
        CREATE TABLE sweep_turns (
            loan {integer} PRIMARY KEY REFERENCES loans (id) ON DELETE CASCADE,
            at {integer} NOT NULL
        ) {options};
        CREATE INDEX sweep_turns_by_time ON sweep_turns (at);
        """
}
