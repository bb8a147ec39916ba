import Circulation
import Desk
import TextFormats

/// Puts a course into the titles that it uses, which is where courses are kept.
struct CourseApplier {
    let session: DeskSession

    func apply(_ course: ImportedCourse) throws -> ImportChange {
        let titles: [Title]
        if let isbn = course.isbn {
            guard let title = try session.catalogue.get(.isbn(isbn)) else { throw TitleApplier.unknown(isbn) }
            titles = [title]
        } else {
            titles = try session.catalogue.search(
                CatalogueQuery(words: course.code, field: .course, order: .id, limit: 100_000)
            ).filter { $0.courses.contains { $0.code == course.code } }
            guard !titles.isEmpty else {
                throw RefusedRecord(
                    field: "code", code: "no_book",
                    message: "a course is kept with its books, and no book here is used in '\(course.code)'")
            }
        }
        return try titles.reduce(.unchanged) { change, title in try add(course, to: title) ? .updated : change }
    }

    private func add(_ course: ImportedCourse, to title: Title) throws -> Bool {
        var changed = title
        if let index = changed.courses.firstIndex(where: { $0.code == course.code }) {
            changed.courses[index].name = course.name ?? changed.courses[index].name
        } else {
            changed.courses.append(Course(code: course.code, name: course.name))
        }
        guard changed != title else { return false }
        _ = try session.imports.title(changed, existing: title.id).change(field: "code")
        return true
    }
}
