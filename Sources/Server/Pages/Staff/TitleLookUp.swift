import Circulation
import Desk
import Languages
import Scripting
import TextFormats

/// Fills in the form of a new title by its ISBN: from the title if the library has it, else from what services for book data know. What
/// was typed stays.
enum TitleLookUp {
    static let path = "/desk/titles/look-up"

    /// It asks over a network, so it is no transaction. With JavaScript the form is filled in where it stands.
    static let page = Page.entry(path, .staff) { call in .view(try view(call)) }

    private struct Found {
        var values: [String: String] = [:]
        let words: String
        var page: String?
        var isWrong = false
    }

    private static func view(_ call: PageCall) throws -> PageView {
        let titles = TitleRecordPages.titles
        guard let form = titles.add else { throw Problem.notFound }
        let found = try find(form, call)
        var view = try titles.addView(form, call, values: found.values.merging(call.form.texts) { $1 })
        var looked: [String: Any] = ["words": found.words, "isWrong": found.isWrong]
        looked["page"] = found.page
        view.fields["looked"] = looked
        if found.isWrong { view.status = 422 }
        return view
    }

    private static func find(_ form: RecordForm, _ call: PageCall) throws -> Found {
        guard let isbn = call.form.text("isbn").flatMap({ try? ISBN($0) }) else {
            return Found(words: say("Type or scan the ISBN first: 10 or 13 digits."), isWrong: true)
        }
        if let title = try call.context.look({ try $0.catalogue.get(.isbn(isbn)) }) {
            return Found(
                values: form.values(of: try call.record("/titles/\(title.id)")),
                words: say("The library already has this title."),
                page: "/desk/titles/\(title.id)")
        }
        switch try call.services.desk.acting(as: call.caller.actor).bookData(on: isbn) {
        case .done(let data):
            return Found(
                values: form.values(of: .object(data.json)),
                words: say("Filled in from the book data services. Check it before you add it."))
        case .refused(let refusal):
            return Found(words: PageWords.sentence(refusal.message), isWrong: true)
        }
    }
}

/// Fills in the form where it stands; without it the button does the same on a page of its own. A scanner's Enter in the ISBN asks as long as
/// there is no title.
enum LookUpScript {
    static let text = """
        "use strict";
        (() => {
          const button = document.querySelector("[data-look-up]");
          if (!button || !button.form) return;
          const form = button.form, said = document.getElementById("looked-up");
          const ask = async (event) => {
            event.preventDefault();
            try {
              const answer = await fetch(button.formAction, { method: "POST", body: new URLSearchParams(new FormData(form)) });
              const page = new DOMParser().parseFromString(await answer.text(), "text/html");
              const words = page.getElementById("looked-up");
              if (!words) throw new Error();
              for (const field of form.elements) {
                const found = field.name && field.type !== "hidden" && page.getElementById(field.id);
                if (found) field.value = found.value;
              }
              said.replaceChildren(...words.childNodes);
            } catch {
              form.action = button.formAction;
              form.submit();
            }
          };
          button.addEventListener("click", ask);
          form.addEventListener("keydown", (event) => {
            const field = form.elements;
            if (event.key === "Enter" && event.target === field.isbn && !field.title.value.trim()) ask(event);
          });
        })();
        """
}
