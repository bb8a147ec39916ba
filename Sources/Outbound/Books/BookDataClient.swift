package import Circulation
import TextFormats

/// Asks Google Books and Open Library about books.
package struct BookDataClient: Hashable, Sendable {
    /// `https://www.googleapis.com/books/v1/volumes`; nil: it is not asked.
    package var googleBooks: WebEndpoint?
    /// `https://openlibrary.org/api/books`; nil: it is not asked.
    package var openLibrary: WebEndpoint?
    /// The key of Google's account; without one it answers fewer questions a day.
    package var googleKey: String?

    package init(googleBooks: WebEndpoint?, openLibrary: WebEndpoint?, googleKey: String? = nil) {
        self.googleBooks = googleBooks
        self.openLibrary = openLibrary
        self.googleKey = googleKey
    }

    /// What both know of a book; empty: nothing. The second is asked for what the first does not know.
    ///
    /// - Throws: ``OutboundFailure`` where nothing was found and one could not be asked.
    package func find(_ isbn: ISBN) throws(OutboundFailure) -> BookData {
        var data = BookData()
        var failure: OutboundFailure?
        if let googleBooks {
            do throws(OutboundFailure) {
                data = try askGoogle(isbn, googleBooks)
            } catch {
                failure = error
            }
        }
        if let openLibrary, !data.isWhole {
            do throws(OutboundFailure) {
                data = data.completed(by: try askOpenLibrary(isbn, openLibrary))
            } catch {
                failure = error
            }
        }
        if let failure, data.isEmpty { throw failure }
        return data
    }

    private func askGoogle(_ isbn: ISBN, _ endpoint: WebEndpoint) throws(OutboundFailure) -> BookData {
        var query = [(name: "q", value: "isbn:\(isbn.digits13)")]
        if let googleKey { query.append(("key", googleKey)) }
        return BookDataReader.google(try json(try endpoint.get(query), endpoint), isbn)
    }

    private func askOpenLibrary(_ isbn: ISBN, _ endpoint: WebEndpoint) throws(OutboundFailure) -> BookData {
        let name = "ISBN:\(isbn.digits13)"
        let answer = try endpoint.get([("bibkeys", name), ("jscmd", "data"), ("format", "json")])
        return BookDataReader.openLibrary(try json(answer, endpoint)[name] ?? .null)
    }

    private func json(_ answer: WebResponse, _ endpoint: WebEndpoint) throws(OutboundFailure) -> JSONObject {
        guard case .object(let object)? = try? JSONParser.parse(answer.body, maximumDepth: 32) else {
            throw OutboundFailure(.badAnswer, "\(endpoint.place): the answer is not a JSON object")
        }
        return object
    }
}
