// Filters and columns. The address contains the selected filters and columns, so that a link shows the same list.
(() => {
  "use strict";
  const form = document.getElementById("filters");
  const tables = [...document.querySelectorAll("table.list")];
  if (!form || !tables.length) return;
  const heads = tables.map((table) => [...table.tHead.rows[0].cells]);
  const known = document.getElementById("known");
  const shown = document.getElementById("shown");
  const none = document.getElementById("none");
  const boxes = [...form.querySelectorAll("[name=verdict]")];
  const order = boxes.map((box) => box.value);
  const rows = tables.flatMap((table) => [...table.tBodies[0].rows]).map((row, rank) => ({ row, rank }));
  let sort = { by: "", down: false };

  const cell = (entry, column) => entry.row.cells[column].textContent;
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  const keys = {
    verdict: (entry) => order.indexOf(entry.row.dataset.verdict),
    findings: (entry) => Number(cell(entry, 2)),
    programs: (entry) => Number(cell(entry, 3)),
  };

  const has = (list, wanted) => list.split(" ").some((name) => name === wanted || name.replace(/-\d.*$/, "") === wanted);

  function filter() {
    const words = form.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    const verdicts = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const relation = form.relation.value, compiler = form.compiler.value, state = form.known.value;
    let count = 0, folded = 0;
    for (const entry of rows) {
      const { row } = entry;
      let fits = verdicts.has(row.dataset.verdict)
        && (!relation || row.dataset.relation.split(" ").includes(relation))
        && (!compiler || has(cell(entry, 4), compiler))
        && (!state || (cell(entry, 5) !== "") === (state === "yes"));
      if (fits && words.length) {
        entry.text ??= row.textContent.toLowerCase();
        fits = words.every((word) => entry.text.includes(word));
      }
      if (row.hidden === fits) row.hidden = !fits;
      count += fits;
      folded += fits && known?.contains(row);
    }
    // Rows that were asked for are shown.
    if (folded && (words.length || relation || compiler || state)) known.open = true;
    const number = (value) => value.toLocaleString("en");
    shown.textContent = count === rows.length ? `${number(count)} clusters` : `${number(count)} of ${number(rows.length)} clusters`;
    none.hidden = count > 0;
  }

  function arrange() {
    const column = heads[0].findIndex((head) => head.dataset.by === sort.by);
    for (const cells of heads) {
      cells.forEach((head, index) => {
        if (index === column) head.setAttribute("aria-sort", sort.down ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
    }
    const key = keys[sort.by] || ((entry) => cell(entry, column));
    const sign = sort.down ? -1 : 1;
    const valued = rows.map((entry) => ({ entry, value: column < 0 ? entry.rank : key(entry) }));
    valued.sort((a, b) => {
      const by = typeof a.value === "number" ? a.value - b.value : compare(a.value, b.value);
      return sign * by || a.entry.rank - b.entry.rank;
    });
    for (const table of tables) {
      const body = table.tBodies[0];
      body.append(...valued.map(({ entry }) => entry.row).filter((row) => row.parentNode === body));
    }
  }

  function write() {
    const state = new URLSearchParams();
    for (const name of ["q", "relation", "compiler", "known"]) if (form[name].value) state.set(name, form[name].value);
    if (!boxes.every((box) => box.checked)) state.set("verdict", boxes.filter((box) => box.checked).map((box) => box.value).join(","));
    if (sort.by) state.set("sort", (sort.down ? "-" : "") + sort.by);
    const hash = state.toString();
    if (hash !== location.hash.slice(1)) history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  }

  function read() {
    const hash = location.hash.slice(1);
    // A way to a section of the page says nothing of filters.
    if (hash && !hash.includes("=")) return false;
    const state = new URLSearchParams(hash);
    for (const name of ["q", "relation", "compiler", "known"]) {
      form[name].value = state.get(name) ?? "";
      if (form[name].selectedIndex === -1) form[name].value = "";
    }
    const verdicts = state.get("verdict")?.split(",");
    for (const box of boxes) box.checked = !verdicts || verdicts.includes(box.value);
    const by = state.get("sort") ?? "";
    const next = { by: by.replace(/^-/, ""), down: by.startsWith("-") };
    if (!heads[0].some((head) => head.dataset.by === next.by)) next.by = "";
    const moved = next.by !== sort.by || next.down !== sort.down;
    sort = next;
    if (moved) arrange();
    filter();
    return hash !== "";
  }

  for (const head of heads.flat()) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const numbers = head.classList.contains("n");
      // Large numbers first; the third press gives the rank back.
      if (sort.by !== head.dataset.by) sort = { by: head.dataset.by, down: numbers };
      else if (sort.down === numbers) sort = { by: sort.by, down: !sort.down };
      else sort = { by: "", down: false };
      arrange();
      write();
    });
  }
  form.addEventListener("input", () => { filter(); write(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    setTimeout(() => { sort = { by: "", down: false }; arrange(); filter(); write(); });
  });
  window.addEventListener("hashchange", () => {
    if (read()) document.getElementById("clusters").scrollIntoView();
  });
  form.hidden = false;
  read();
})();
