/// A policy's own fault, as the desk finds it.
struct Failure: Error, Hashable {
    let code: String
    let message: String
    let site: Site
}
