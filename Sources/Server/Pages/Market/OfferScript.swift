/// Says what as many as are typed would cost, while they are typed. A page of an offer does the same without it, by a button.
enum OfferScript {
    static let text = """
        "use strict";
        (() => {
          const form = document.querySelector("form[data-price]");
          const place = form && form.querySelector("output");
          if (!place) return;
          form.querySelector("[data-asks]").hidden = true;
          let number = 0, timer;
          const ask = async () => {
            const mine = ++number, query = new URLSearchParams();
            for (const name of ["quantity", "ends_on"]) {
              const field = form.elements[name];
              if (field && field.value) query.set(name, field.value);
            }
            try {
              const answer = await fetch(form.dataset.price + "?" + query);
              const found = answer.ok ? await answer.json() : { words: "" };
              if (mine === number) place.textContent = found.words;
            } catch { if (mine === number) place.textContent = ""; }
          };
          form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 150); });
        })();
        """
}
