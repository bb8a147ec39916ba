/// Marks what belongs to one transaction of a script, so that nothing of it outlives it.
final class ScriptTransaction {
    private(set) var isOver = false

    func end() { isOver = true }
}
