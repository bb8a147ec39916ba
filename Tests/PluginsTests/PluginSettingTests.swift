import LuaSyntax
import Plugins
import Testing
import TextFormats

@Suite("Values of a plugin's settings")
struct PluginSettingTests {
    private let settings = [
        PluginSetting(name: "words", kind: .text, standard: "Hello"), PluginSetting(name: "hook", kind: .url),
    ]
    private let kept: JSONObject = ["words": "Hi", "hook": "https://example.org/"]

    @Test("an empty text takes a value away, so that the standard counts again")
    func emptied() throws {
        let values = try settings.values(keeping: kept, given: [("words", "")])
        #expect(values == ["hook": "https://example.org/"])
        #expect(settings.complete(values)["words"] == "Hello")
    }

    @Test("what has no standard is not taken away, and which one is missing is said")
    func needed() throws {
        let error = #expect(throws: PluginSettingError.self) {
            try settings.values(keeping: kept, given: [("hook", "")])
        }
        #expect(error?.setting == "hook" && error?.isMissing == true)
        let wrong = #expect(throws: PluginSettingError.self) {
            try settings.values(keeping: kept, given: [("hook", "ftp://example.org")])
        }
        #expect(wrong?.setting == "hook" && wrong?.isMissing == false)
    }
}
