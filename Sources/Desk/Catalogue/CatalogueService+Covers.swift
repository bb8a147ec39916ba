package import Circulation
package import Pictures
import Storage

extension Desk {
    /// Gives a title a cover, in the place of one that it has.
    ///
    /// Refused with `unknown_title`, `not_allowed`, and as ``PictureFault/Code`` says.
    ///
    /// - Parameter bytes: the file of a picture.
    package func setCover(of key: TitleKey, to bytes: [UInt8]) throws -> Outcome<Title> {
        // Only those who may change the catalogue may have a picture read.
        guard actor.reach(of: "catalogue.set_cover") != .no else {
            return try write { try $0.catalogue.setCover(of: key, to: .failure(.damaged)) }
        }
        let picture = read(picture: bytes)
        return try write(isRepeatable: true) { try $0.catalogue.setCover(of: key, to: picture) }
    }
}

extension CatalogueService {
    /// A picture by its name, whole or small; nil: nothing has such a picture.
    package func image(_ name: String, isSmall: Bool) throws -> WrittenPicture.Image? {
        try transaction.pictures.image(name, isSmall: isSmall)
    }

    /// A picture by its name; nil: nothing has such a picture.
    package func picture(_ name: String) throws -> WrittenPicture? { try transaction.pictures.picture(name) }

    /// Gives a title a cover that was read.
    ///
    /// Refused as ``Desk/setCover(of:to:)``.
    package func setCover(of key: TitleKey, to picture: Result<WrittenPicture, PictureFault>) throws -> Outcome<Title> {
        try session.request("catalogue.set_cover") {
            try keep(cover: try picture.admitted(), of: try known(key))
        }
    }

    /// Takes the cover of a title away; one that has none stays as it is.
    ///
    /// Refused with `unknown_title`.
    package func removeCover(of key: TitleKey) throws -> Outcome<Title> {
        try session.request("catalogue.remove_cover") {
            try keep(cover: nil, of: try known(key))
        }
    }

    /// Writes down which cover a title has, and keeps its file and no other one.
    @discardableResult
    package func keep(cover picture: WrittenPicture?, of title: Title) throws -> Title {
        var title = title
        let name = picture?.name
        if let picture { try transaction.pictures.keep(picture, of: .title(title.id)) }
        try transaction.pictures.remove(of: .title(title.id), except: name.map { [$0] } ?? [])
        guard title.cover != name else { return title }
        title.cover = name
        try session.record(.titleUpdated, title)
        return title
    }
}
